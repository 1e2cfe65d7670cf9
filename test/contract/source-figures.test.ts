/**
 * Figures drawn by a seed from the files in `data/`, asked over REST, MCP, export and SQL: the same on each; and a selection
 * that leaves collected rows out, row by row.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { companyFiles, ceoTotalsOf, readCompany } from "../../scripts/compile-data.ts";
import { formatAmount, unitsOf } from "../../src/domain/amount.ts";
import { displayName } from "../../src/domain/executive.ts";
import { AMOUNTS, byAmount } from "../../src/domain/row-fields.ts";
import { type CompanyRecord, evidenceOf, type Observation } from "../../src/dataset/record.ts";
import { isSameTotal } from "../../src/dataset/peo-tags.ts";
import { createSqlRunner } from "../../src/operations/sql.ts";
import { type AnalystUnderTest, analystUnderTest } from "../mcp/analyst/support.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";
import { seededRandom } from "../support/seeded-random.ts";

const DATA = join(import.meta.dir, "../../data");
const DRAWN = 100;
/** The rows of every fiscal year. */
const EVER = { fiscal_year_gte: 1900 };

let analyst: AnalystUnderTest;
beforeAll(async () => {
  analyst = await analystUnderTest({ unmetered: "true", rateKey: "1000000" });
});
afterAll(() => analyst.stop());

type Figures = Readonly<Record<string, unknown>>;

async function rest(path: string): Promise<Figures> {
  const answer = await analyst.server.get(path, { key: analyst.key });
  expect([path, answer.status]).toEqual([path, 200]);
  return Object(await answer.json());
}

const arrayIn = (answer: Figures, name: string): Figures[] => {
  const found = answer[name];
  if (!Array.isArray(found)) throw new Error(`no ${name} in ${JSON.stringify(answer).slice(0, 200)}`);
  return found.map(Object);
};

async function tool(name: string, given: object): Promise<Figures> {
  const { result } = await analyst.call(name, given);
  if (result.structuredContent === undefined) throw new Error(JSON.stringify(result).slice(0, 300));
  return result.structuredContent;
}

async function exported(search: string): Promise<Figures[]> {
  const answer = await analyst.server.get(`/export?format=jsonl&${search}`, { key: analyst.key });
  const lines = (await answer.text()).trimEnd().split("\n");
  return lines.map((line) => Object(JSON.parse(line)));
}

const runner = createSqlRunner({ program: PROGRAM, dataDir: tempFolder() });
async function sql(statement: string): Promise<Figures[]> {
  const { columns, rows, cut } = await runner.run(statement, { maxRows: 100_000 });
  expect(cut).toBeNull();
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
}

/** An executive's year as its file has it. */
interface FromFile {
  record: CompanyRecord;
  filing: CompanyRecord["filings"][number];
  row: Observation;
  executiveId: string;
}

/** What is to be served, by the rule alone: of several filings the newest definitive one, and a collected one only if it is alone. */
const fromFiles: FromFile[] = companyFiles(DATA).flatMap((path) => {
  const record = readCompany(DATA, path);
  const ids = new Map(record.pins.map(({ spelling, executiveId }) => [spelling, executiveId]));
  const filings = new Map(record.filings.map((filing) => [filing.accession, filing]));
  const all = record.observations.flatMap((row) => {
    const filing = filings.get(row.accession);
    const executiveId = ids.get(displayName(row.name));
    if (filing === undefined || executiveId === undefined || filing.form?.startsWith("PRE")) return [];
    return row.placeholder ? [] : [{ record, filing, row, executiveId }];
  });
  const rank = ({ filing }: FromFile) =>
    `${filing.read === "collected" ? 0 : 1} ${filing.filingDate} ${filing.accession}`;
  return [...Map.groupBy(all, ({ row, executiveId }) => `${row.fiscalYear} ${executiveId}`).values()].flatMap(
    (same) => same.toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1)).slice(0, 1),
  );
});
const keyOf = ({ cik, fiscal_year: year, executive_id: id }: Figures) =>
  `${String(cik)} ${String(year)} ${String(id)}`;
const keyInFile = ({ record: { cik }, row: { fiscalYear }, executiveId }: FromFile) =>
  `${cik} ${fiscalYear} ${executiveId}`;

/** So many of a list, each at most once. */
function drawn<Of>(list: readonly Of[], seed: number): Of[] {
  const random = seededRandom(seed);
  const found = new Set<Of>();
  while (found.size < DRAWN) found.add(random.pick(list));
  return [...found];
}

/** The figures of a row that its file states, under the names of answers. */
function stated({ record, filing, row, executiveId }: FromFile): Figures {
  return {
    cik: record.cik,
    fiscal_year: row.fiscalYear,
    executive_id: executiveId,
    executive_name: displayName(row.name),
    ...byAmount((field) => unitsOf(row.amounts[field])),
    accession: filing.accession,
    filing_url: filing.url,
  };
}

/** The same of an answer, whose source is an object or stands in columns. */
function answered(row: Figures | undefined): Figures {
  const { source, source_accession: accession, source_filing_url: url, ...of } = row ?? {};
  const flat = { accession, filing_url: url, ...of, ...Object(source) };
  const names = [
    "cik",
    "fiscal_year",
    "executive_id",
    "executive_name",
    ...AMOUNTS,
    "accession",
    "filing_url",
  ];
  return Object.fromEntries(names.map((name) => [name, flat[name]]));
}

describe("a hundred rows drawn from the files", () => {
  const sample = drawn(fromFiles, 44);
  const expected = sample.map(stated);
  const ofSample = (rows: readonly Figures[]) => {
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return sample.map((one) => answered(byKey.get(keyInFile(one))));
  };

  test("have collected ones among them, and others", () => {
    const kinds = Map.groupBy(sample, ({ filing, row }) => evidenceOf(filing, row));
    expect([...kinds.keys()].sort()).toEqual(["collected", "linked", "typed"]);
  });

  test("are the same over REST, by company and across companies", async () => {
    const [byCompany, across]: [Figures[], Figures[]] = [[], []];
    for (const { record, row, executiveId } of sample) {
      const of = `cik=${record.cik}&fiscal_year=${row.fiscalYear}`;
      byCompany.push(...arrayIn(await rest(`/api/executive-compensation?${of}`), "executive_compensation"));
      const query = `/api/executive-compensation/query?${of}&executive_id=${executiveId}`;
      across.push(...arrayIn(await rest(query), "executive_compensation"));
    }
    expect(ofSample(byCompany)).toEqual(expected);
    expect(ofSample(across)).toEqual(expected);
  });

  test("over MCP", async () => {
    const [byCompany, across]: [Figures[], Figures[]] = [[], []];
    for (const { record, row, executiveId } of sample) {
      const of = { cik: record.cik, fiscal_year: row.fiscalYear };
      byCompany.push(...arrayIn(await tool("get_executive_compensation", of), "executive_compensation"));
      const query = { ...of, executive_id: executiveId, detail: "full" };
      across.push(...arrayIn(await tool("query_executive_compensation", query), "executive_compensation"));
    }
    expect(ofSample(byCompany)).toEqual(expected);
    expect(ofSample(across)).toEqual(expected);
  });

  test("in an export and in SQL", async () => {
    expect(ofSample(await exported("fiscal_year_gte=1900"))).toEqual(expected);
    const keys = sample.map((one) => `'${keyInFile(one)}'`).join();
    const found = await sql(
      `select * from compensation where cik || ' ' || fiscal_year || ' ' || executive_id in (${keys})`,
    );
    expect(ofSample(found)).toEqual(expected);
  });
});

describe("a hundred totals of chief executives drawn from the files", () => {
  const totals = ceoTotalsOf(DATA);
  const sample = drawn(totals, 44);
  /** What a record says of a total of a proxy: it is the total, or named as what a newer proxy restates, or as a doubt. */
  const says = ({ peo_total: own, restated, restated_total: column, doubts }: Figures, total: number) =>
    isSameTotal(Number(own) * 100, total * 100) ||
    Object(restated)["peo_total"] === total ||
    column === total ||
    JSON.stringify(doubts).includes(`says ${formatAmount(total)}`);
  const missing = (records: readonly Figures[], among: typeof totals = sample) => {
    const years = Map.groupBy(records, ({ cik, fiscal_year: year }) => `${String(cik)} ${String(year)}`);
    return among.filter(
      ({ cik, fiscalYear, total }) =>
        !(years.get(`${cik} ${fiscalYear}`) ?? []).some((record) => says(record, total)),
    );
  };
  const equal = (records: readonly Figures[]) =>
    sample.filter(({ cik, fiscalYear, total }) =>
      records.some(
        (one) => one["cik"] === cik && one["fiscal_year"] === fiscalYear && one["peo_total"] === total,
      ),
    ).length;

  test("are the same over REST and MCP", async () => {
    const [overRest, overMcp]: [Figures[], Figures[]] = [[], []];
    for (const { cik, fiscalYear } of sample) {
      const of = `cik=${cik}&fiscal_year=${fiscalYear}&doubtful=include`;
      overRest.push(...arrayIn(await rest(`/api/ceo-pay?${of}`), "ceo_pay"));
      const given = { cik, fiscal_year: fiscalYear, doubtful: "include", detail: "full" };
      overMcp.push(...arrayIn(await tool("query_ceo_pay", given), "ceo_pay"));
    }
    expect([missing(overRest), missing(overMcp)]).toEqual([[], []]);
    expect([equal(overRest), equal(overMcp)]).toEqual([DRAWN, DRAWN]);
  });

  test("in an export and in SQL, where each of the others stands too", async () => {
    const inExport = await exported("view=ceo_pay&doubtful=include&fiscal_year_gte=1900");
    const inSql = await sql("select * from ceo_pay");
    expect([missing(inExport, totals), missing(inSql, totals)]).toEqual([[], []]);
    expect([equal(inExport), equal(inSql)]).toEqual([DRAWN, DRAWN]);
    // The same columns with the same values: SQL has flags as numbers.
    const flat = (records: readonly Figures[]) =>
      records.map(({ is_latest: _told, ...record }) =>
        JSON.stringify(
          Object.entries(record).map(([name, value]) => [
            name,
            typeof value === "boolean" ? Number(value) : value,
          ]),
        ),
      );
    expect(flat(inExport).sort()).toEqual(flat(inSql).sort());
  });

  test("are those of the file, whose lines are all read", () => {
    const text = readFileSync(join(DATA, "reference/ceo-totals.tsv"), "utf8");
    const lines = text.trimEnd().split("\n").slice(1);
    expect(lines.map((line) => line.split("\t").slice(0, 4).join("\t"))).toEqual(
      totals.map(({ cik, fiscalYear, name, total }) => [cik, fiscalYear, name, total].join("\t")),
    );
  });
});

describe("evidence=linked,typed is every row that was not collected, and no other", () => {
  const expected = fromFiles
    .filter(({ filing }) => filing.read !== "collected")
    .map(keyInFile)
    .sort();
  const EVIDENCE = "evidence=linked,typed&fiscal_year_gte=1900";

  /** The rows of all pages. @param page of a cursor */
  async function paged(page: (more: object) => Promise<Figures>): Promise<string[]> {
    const rows: Figures[] = [];
    for (let cursor: unknown = ""; typeof cursor === "string";) {
      const answer = await page(cursor === "" ? {} : { cursor });
      rows.push(...arrayIn(answer, "executive_compensation"));
      cursor = answer["next_cursor"];
    }
    return rows.map(keyOf).sort();
  }

  test("by the rule of the files, all rows are served", async () => {
    expect((await sql("select cik, fiscal_year, executive_id from compensation")).map(keyOf).sort()).toEqual(
      fromFiles.map(keyInFile).sort(),
    );
    expect(expected.length).toBeLessThan(fromFiles.length - 2000);
  });

  test("in query and in the number of statistics", async () => {
    const query = (more: object) =>
      rest(
        `/api/executive-compensation/query?${EVIDENCE}&max_rows=1000&${String(new URLSearchParams({ ...more }))}`,
      );
    expect(await paged(query)).toEqual(expected);
    const [all] = arrayIn(await rest(`/api/executive-compensation/statistics?${EVIDENCE}`), "statistics");
    expect(all?.["rows"]).toBe(expected.length);
  });

  test("over MCP", async () => {
    const given = { evidence: "linked,typed", ...EVER };
    const query = (more: object) =>
      tool("query_executive_compensation", { ...given, max_rows: 1000, ...more });
    expect(await paged(query)).toEqual(expected);
    const [all] = arrayIn(await tool("get_executive_compensation_statistics", given), "statistics");
    expect(all?.["rows"]).toBe(expected.length);
  });

  test("in an export and in SQL", async () => {
    expect((await exported(EVIDENCE)).map(keyOf).sort()).toEqual(expected);
    const chosen =
      "select cik, fiscal_year, executive_id from compensation where evidence in ('linked', 'typed')";
    expect((await sql(chosen)).map(keyOf).sort()).toEqual(expected);
  });
});
