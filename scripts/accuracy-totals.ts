/** The part of `docs/accuracy.md` on totals of chief executives: where two witnesses differ, and what the index lacks by year. */
import { join } from "node:path";
import { formatAmount, unitsOf } from "../src/domain/amount.ts";
import { compareTexts } from "../src/lib/text.ts";
import { assemble } from "../src/dataset/assemble.ts";
import { type CeoPayRecord, readCeoPay } from "../src/dataset/ceo-pay-records.ts";
import { isMemberOn } from "../src/dataset/company-facts.ts";
import { openFile } from "../src/dataset/open.ts";
import { datasetOf } from "../src/dataset/read-snapshot.ts";
import { type Dataset, padCik } from "../src/dataset/dataset.ts";
import { checkPeoTag, isRounded, isSameTotal, type PeoTag, readTags } from "../src/dataset/peo-tags.ts";
import type { CompanyRecord } from "../src/dataset/record.ts";
import { ceoTotalsOf, companyFiles, peoTagsOf, readCompany } from "./compile-data.ts";

/** How the dataset's principal executive officers compare with the totals that filers tag, and which tags are doubtful. */
export function peoTotalsCard(): string {
  const data = join(import.meta.dir, "../data");
  const tags = Map.groupBy(peoTagsOf(data), ({ cik }) => cik);
  const counts = { agrees: 0, scaled: 0, differs: 0, absent: 0 };
  const records = companyFiles(data).map((path) => readCompany(data, path));
  for (const record of records) {
    const assembled = assemble(record);
    for (const tag of (tags.get(record.cik) ?? []).filter(({ provider }) => provider !== "proxy"))
      counts[checkPeoTag(record, assembled, tag).kind]++;
  }
  const dataset = datasetOf(openFile(join(data, "snapshot.sqlite")), "embedded");
  const pay = readCeoPay(dataset);
  const rows = pay.filter(({ basis }) => basis === "row");
  const doubted = pay.filter(({ doubts }) => doubts.length > 0);
  const restated = pay.flatMap(({ ticker, fiscalYear, cents, restated: other }) =>
    other === null ? [] : [{ ticker, fiscalYear, cents, there: other.cents, filingDate: other.filingDate }],
  );
  return [
    "## Totals of principal executive officers",
    "",
    `${counts.agrees} of ${counts.agrees + counts.scaled + counts.differs} tags of a year whose own filing is loaded agree with its row (${counts.scaled} in another scale, ${counts.differs} differ),`,
    "matched by the end of the fiscal year, to one unit. A difference is recorded as a problem of that row and changes no amount.",
    `\`ceo_pay\` has ${pay.length} records: ${rows.length} rows, ${rows.filter(({ confirmedByTag }) => confirmedByTag).length} of them confirmed by a tag, and ${pay.length - rows.length} totals alone.`,
    "Tagged totals: NM AI Research, *ceo-pay-scorecard*, CC BY 4.0, DOI 10.5281/zenodo.21445815; the SEC's XBRL frames as collected by TruNorth; what proxies print and tag for",
    "up to five years, as collected by the S&P 500 Executive Compensation Tracker.",
    "",
    ...averagesCard(records),
    "",
    "A newer proxy prints another total for these. The row keeps what its own filing printed, the record names both, and none is in doubt:",
    "",
    "| Company | Year | Row | Newer proxy | Filed |",
    "|---|---|---|---|---|",
    ...restated.map(
      ({ ticker, fiscalYear, cents, filingDate, there }) =>
        `| ${ticker} | ${fiscalYear} | ${formatAmount(unitsOf(cents))} | ${formatAmount(unitsOf(there))} | ${filingDate} |`,
    ),
    "",
    ...witnessesCard(pay, readTags(dataset)),
    "A former chief executive whose row is in no loaded table has a record of the total alone beside the row, also with a part of a",
    "year's pay; a figure tagged with the period of another year (CCI, MTCH, BRO) confirms that year. All others that differ are in doubt",
    "and in the table below.",
    "",
    "A total is left out of rankings and statistics if two sources differ, or if its scale is implausible: above a billion; below",
    "20,000 unless a neighbouring year is higher and not a thousand times as high; below a fiftieth of the other officers' average",
    "unless another year is within a factor of ten. What the rule finds in the embedded tags, and what is known of each:",
    "",
    "| Company | Year | Total | Doubt | What is known |",
    "|---|---|---|---|---|",
    ...doubted.map(
      ({ ticker, fiscalYear, cents, doubts }) =>
        `| ${ticker} | ${fiscalYear} | ${formatAmount(cents / 100)} | ${doubts.map(({ code }) => code).join(", ")} | ${KNOWN[ticker] ?? "not examined"} |`,
    ),
    "",
    "Not hit, and rightly so: Welltower 821,090,355 (a ten-year award), CrowdStrike 247,579,143, Veeva 172,436,000 and a year later",
    "470,833, Axon 164,525,721 and a year later 40,001 (at the third rule there is no average to compare with), Airbnb 186,326 and",
    "242,122 (two years confirm each other), DoorDash 318,518, TTEC 63,536. A total wrong by a thousand that stays between these",
    "bounds is not found: a small company that tags dollars as thousands, or the reverse.",
    "",
    ...indexCard(pay, dataset),
  ].join("\n");
}

/** The witnesses that say almost the same: one apart, or rounded. Every other one is a record, named by one, or in doubt. */
function witnessesCard(pay: readonly CeoPayRecord[], tags: readonly PeoTag[]): string[] {
  const byCompany = Map.groupBy(pay, ({ cik }) => cik);
  const [apart, rounded] = [new Set<string>(), new Set<string>()];
  for (const { cik, cents } of tags) {
    const records = byCompany.get(cik) ?? [];
    if (records.some((one) => one.cents === cents)) continue;
    const near = records.find((one) => isSameTotal(one.cents, cents));
    const round = records.find((one) => isRounded(cents, one.cents));
    if (near !== undefined) apart.add(`${near.ticker} ${near.fiscalYear}`);
    else if (round !== undefined) rounded.add(`${round.ticker} ${round.fiscalYear}`);
  }
  return [
    "Two witnesses of one total are one unit apart, filers' own sums, taken as equal, in",
    `${[...apart].join(", ")}.`,
    `A tag in round thousands or hundred thousands is the total rounded: ${[...rounded].join(", ")}. In both kinds the record has the`,
    "figure of the table.",
    "",
  ];
}

const INDEX_YEARS = [2021, 2022, 2023, 2024, 2025] as const;

/** Why a member of the index has no total in a fiscal year. */
const REASONS = {
  left: "left the index; every list of totals is of later members",
  unknown: "a member today; in none of the sources",
  later: "first known for a later year",
  earlier: "last known for an earlier year",
  between: "known for years on both sides",
} as const;

/** Of the members of the S&P 500 on the last day of each fiscal year: how many have a total, and why the others do not. */
function indexCard(pay: readonly CeoPayRecord[], dataset: Pick<Dataset, "all" | "read">): string[] {
  const records = Map.groupBy(pay, ({ cik }) => cik);
  const missing = new Map<string, { reason: keyof typeof REASONS; years: number[] }>();
  const companies = readMembers(dataset);
  const today = new Set(companies.flatMap(({ cik, stays }) => (isMemberToday(stays) ? [cik] : [])));
  const listed = readTags(dataset).filter(({ provider }) => provider === "proxy");
  const lines = INDEX_YEARS.map((year) => {
    const inList = new Set(listed.flatMap((tag) => (tag.fiscalYear === year ? [tag.cik] : [])));
    const known = new Set(pay.flatMap(({ cik, fiscalYear }) => (fiscalYear === year ? [cik] : [])));
    const counts = {
      inList: inList.size,
      known: known.size,
      today: known.intersection(today).size,
      members: 0,
      answered: 0,
      doubtful: 0,
      left: 0,
      unknown: 0,
      later: 0,
      earlier: 0,
      between: 0,
    };
    for (const { cik, symbol, fiscalYearEnd, stays } of companies) {
      const own = records.get(cik) ?? [];
      const ofYear = own.filter(({ fiscalYear }) => fiscalYear === year);
      // Judged as `index` is: by the last day of the record's year.
      const days = ofYear.length > 0 ? ofYear.map(({ lastDay }) => lastDay) : [`${year}-${fiscalYearEnd}`];
      if (!days.some((day) => isMemberOn(stays, day))) continue;
      counts.members++;
      if (ofYear.length > 0) {
        counts[ofYear.some(({ doubts }) => doubts.length === 0) ? "answered" : "doubtful"]++;
        continue;
      }
      const years = own.map(({ fiscalYear }) => fiscalYear);
      const reason =
        years.length === 0
          ? today.has(cik)
            ? "unknown"
            : "left"
          : Math.min(...years) > year
            ? "later"
            : Math.max(...years) < year
              ? "earlier"
              : "between";
      counts[reason]++;
      missing.getOrInsertComputed(`${symbol} ${reason}`, () => ({ reason, years: [] })).years.push(year);
    }
    return `| ${[year, ...Object.values(counts)].join(" | ")} |`;
  });
  const named = (Object.keys(REASONS) as (keyof typeof REASONS)[]).flatMap((reason) => {
    const of = [...missing].filter(([, one]) => one.reason === reason);
    const byYears = Map.groupBy(of, ([, { years }]) => years.join(", "));
    return [...byYears].map(
      ([years, those]) =>
        `- ${REASONS[reason]}, ${years}: ${those.map(([symbol]) => symbol.split(" ")[0]).join(", ")}`,
    );
  });
  return [
    "## Chief executives of the index, by fiscal year",
    "",
    "`index=sp500` selects the members on the last day of that fiscal year. Those of 2021 are not those of today, and the lists of totals",
    "are of today's. No list here has more: all of them together have the companies of the third column, whoever was a member. The",
    "rest comes with the filings (`execcomp ingest`).",
    "",
    `| Fiscal year | Companies in the Tracker's list | Companies in any source | of those, members today | Members on the year's last day | With a total | In doubt | ${Object.values(REASONS).join(" | ")} |`,
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...lines,
    "",
    ...named,
    "",
    "A pay-versus-performance table has five years. Where the newest proxy is already that of fiscal 2026, they begin with 2022: so most",
    "of those that are first known for a later year than 2021.",
  ];
}

function isMemberToday(stays: readonly { removed: string | null }[]): boolean {
  return stays.some(({ removed }) => removed === null);
}

function readMembers({ all }: Pick<Dataset, "all">) {
  const stays = all<{ cik: number; symbol: string; added: string; removed: string | null; day: string }>(
    `select m.cik, m.symbol, m.added, m.removed, coalesce(c.fiscal_year_end, r.fiscal_year_end, '12-31') as day
      from index_members m left join companies c using (cik) left join registrants r using (cik) order by m.cik, coalesce(m.removed, '9999'), m.added`,
  );
  return [...Map.groupBy(stays, ({ cik }) => cik)]
    .map(([cik, of]) => ({
      cik: padCik(cik),
      symbol: of.at(-1)?.symbol ?? "",
      fiscalYearEnd: of.at(-1)?.day ?? "",
      stays: of,
    }))
    .sort((a, b) => compareTexts(a.symbol, b.symbol));
}

/** Where the average of the other officers' rows of a complete year is not the one that a proxy tags: a check, never served. */
function averagesCard(records: readonly CompanyRecord[]): string[] {
  const totals = Map.groupBy(ceoTotalsOf(join(import.meta.dir, "../data")), ({ cik }) => cik);
  let equal = 0;
  const differing: string[] = [];
  for (const record of records) {
    const { rows, years } = assemble(record);
    for (const { fiscalYear } of years.filter(({ complete, collected }) => complete && collected !== true)) {
      const ofYear = (totals.get(record.cik) ?? []).filter((one) => one.fiscalYear === fiscalYear);
      const tagged = ofYear.flatMap(({ othersAverage }) => othersAverage ?? []);
      const others = rows.filter((row) => row.fiscalYear === fiscalYear && !row.isPeo);
      const average =
        others.reduce((sum, { amounts }) => sum + amounts.total_compensation, 0) / others.length / 100;
      if (tagged.length === 0) continue;
      if (tagged.some((one) => Math.abs(one - average) <= 1.5)) equal++;
      else
        differing.push(
          `${record.symbols[0]} ${fiscalYear} (${formatAmount(Math.round(average))}, tagged ${formatAmount(tagged[0] ?? 0)})`,
        );
    }
  }
  return [
    `The average of the other officers is the tagged one in ${equal} of ${equal + differing.length} complete years that were typed or linked. Not in ${differing.join(", ")}:`,
    "restated by the newer proxy (DASH, GEHC, COST, JPM), or a filer's list with somebody else (AIG, F, SBUX). All rows were looked at; none is wrong.",
  ];
}

/** What is known of each doubtful total. */
const KNOWN: Readonly<Record<string, string>> = {
  UHAL: "a thousand times too high, like the average of its other officers",
  LMAT: "a thousand times too high, like the average of its other officers",
  DVN: "in thousands, in all years",
  SMCI: "in thousands",
  XYZ: "Jack Dorsey's salary is known to be 2.75; nothing here confirms that it is all he was paid",
  SNYR: "probably in thousands",
  MUX: "Robert McEwen is known to take a salary of 1; the figure is probably true",
  CWH: "Marcus Lemonis is known to take no salary; the figure is probably true",
  KVYO: "a founder with a small salary; the figure is probably true",
  PAGP: "the holding company of PAA: one person, one total",
  AVB: "the tag is the average of its other officers of 2023",
  KMI: "Steven Kean is known to take a salary of 1; the figures are probably true",
  NEE: "its pay-versus-performance table prints another total than its table of 2026",
  SO: "its pay-versus-performance table prints 665 more than its table of 2026",
  PLTR: "the table of 2026 prints 4,360,170; 4,630,170 was tagged the year before: digits exchanged",
};
