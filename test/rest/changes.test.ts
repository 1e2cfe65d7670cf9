/** `GET /api/changes` and the feed, on a server whose dataset is replaced by an ingest and by installs. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { join } from "node:path";
import { realRuntime } from "../../src/runtime.ts";
import { installTrusted } from "../../src/dataset/signature.ts";
import type { CompanyRecord } from "../../src/dataset/record.ts";
import { cli } from "../support/cli.ts";
import { type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { madeCompany, madeCorpus } from "../support/edgar-made.ts";
import { tempFolder } from "../support/folder.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { refusalOf, startTestServer, type TestServer } from "../support/server.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

interface Changes {
  edition: string;
  content_hash: string;
  changes: {
    kind: string;
    change: string;
    ticker: string;
    company_name: string;
    fiscal_year: number;
    executive_id: string | null;
    fields: string[];
    total_compensation: { before: number | null; after: number | null } | null;
    source: { form: string; accession: string; filing_url: string };
  }[];
  next_cursor: string | null;
}

const folder = tempFolder();
const dataDir = join(folder, "data");
const NEW = { ...madeCompany(920_001, 2025, 2, 500_000), ticker: "NEWCO" };
const HOSTILE = `Acme </title>]]><script>alert(1)</script> & "Sons" \u0001\uffff`;

let replay: ReplayEdgar;
let server: TestServer;
let key: string;
/** Content hashes of the editions, in the order in which they were installed. */
const editions: string[] = [];

/** Lets the server notice another dataset. */
function noticed(): void {
  server.advance(2000);
  const { services } = server;
  editions.push(services.snapshots.current().info.contentHash);
  expect(services.changes.latest().contentHash).toBe(editions.at(-1) ?? "");
}

function use(records: CompanyRecord[], edition: string): void {
  const path = writeTestSnapshot(folder, `edition-${edition}.sqlite`, records, edition);
  installTrusted(dataDir, path, { today: "2026-04-01T00:00:00.000Z", trust: "anyone", advice: () => "" });
  noticed();
}

const proxy = testFiling({ year: 2026 });
const grown = (name: string, salary: number): CompanyRecord =>
  testRecord({
    name,
    filings: [testFiling(), proxy],
    observations: [
      ...testRecord().observations,
      testRow({ accession: proxy.accession, peo: OFFICE, role: "CEO", fiscalYear: 2025 }, { salary: 30_000 }),
      testRow({ accession: proxy.accession, position: 2, role: "CEO" }, { salary }),
    ],
  });

beforeAll(async () => {
  replay = await startReplay(madeCorpus([NEW]));
  server = await startTestServer({ dataDir });
  key = await server.createKey();
  noticed();
  const words = ["ingest", "--ticker", "NEWCO", "--years", "1", "--data-dir", dataDir];
  const edgar = ["--edgar-www-url", replay.wwwUrl, "--edgar-data-url", replay.dataUrl];
  // Only loopback is contacted.
  const environment = { EXECCOMP_CONTACT: "A Tester tester@example.com" };
  const { code, err } = await cli(...words, ...edgar, { runtime: realRuntime(), environment });
  if (code !== 0) throw new Error(err);
  noticed();
});
afterAll(async () => {
  await server.stop();
  await replay.stop();
});

async function changes(search: string, given: { key?: string } = {}): Promise<Changes> {
  const answer = await server.get(`/api/changes?${search}`, given);
  if (answer.status !== 200) throw new Error(await answer.text());
  // Each test checks the shape.
  return (await answer.json()) as Changes;
}
const short = ({ changes: list }: Changes) =>
  list.map((one) => [one.change, one.kind, one.ticker, one.fiscal_year, one.executive_id].join(" "));

describe("after an ingest", () => {
  test("additions since the previous edition are listed; without a key, names and totals are omitted", async () => {
    const since = await changes(`since=${editions[0]}`);
    expect(since.content_hash).toBe(editions[1] ?? "");
    expect(short(since)).toEqual([
      "added filing NEWCO 2025 ",
      "added executive_year NEWCO 2025 ",
      "added executive_year NEWCO 2024 ",
      "added executive_year NEWCO 2023 ",
    ]);
    expect(JSON.stringify(since)).not.toMatch(/ann|example\b/i);
    expect(since.changes.map(({ total_compensation: total }) => total)).toEqual([null, null, null, null]);
    expect(since.changes[0]?.source).toMatchObject({ form: "DEF 14A", accession: NEW.filings[0]?.accession });
    const keyed = await changes(`since=${editions[0]}`, { key });
    expect(keyed.changes.map(({ executive_id: id }) => id)).toEqual([
      null,
      "ann-example",
      "ann-example",
      "ann-example",
    ]);
    expect(keyed.changes.map(({ total_compensation: total }) => total)).toEqual([
      null,
      { before: null, after: 500_000 },
      { before: null, after: 499_000 },
      { before: null, after: 498_000 },
    ]);
    expect(await changes(`since=${editions[1]}`)).toMatchObject({ changes: [], next_cursor: null });
  });

  test("a page with a total of an earlier year costs a credit; one with only the latest year is free", async () => {
    const cost = async (search: string, init = {}) => {
      const answer = await server.get(`/api/changes?${search}`, { key: await server.createKey(), ...init });
      return [answer.status, answer.headers.get("credits-charged")];
    };
    expect(await cost(`since=${editions[0]}`)).toEqual([200, "1"]);
    expect(await cost(`since=${editions[0]}&max_rows=2`)).toEqual([200, "0"]);
    expect(await cost(`since=${editions[1]}`)).toEqual([200, "0"]);
    expect(await cost(`since=${editions[0]}`, { method: "HEAD" })).toEqual([405, "0"]);
    expect(await cost(`since=${editions[0]}`, { key: undefined })).toEqual([200, null]);
  });

  test("pages follow each other, and a tag shows whether anything is new", async () => {
    const first = await changes(`since=${editions[0]}&max_rows=3`);
    expect([first.changes.length, typeof first.next_cursor]).toEqual([3, "string"]);
    const rest = await changes(`since=${editions[0]}&max_rows=3&cursor=${first.next_cursor}`);
    expect([short(rest), rest.next_cursor]).toEqual([["added executive_year NEWCO 2023 "], null]);
    const stale = Buffer.from(`0123456789abcdef.1`).toString("base64url");
    expect((await refusalOf(await server.get(`/api/changes?cursor=${stale}`))).status).toBe(410);
    const step = editions[1]?.slice(0, 16);
    expect(Buffer.from(first.next_cursor ?? "", "base64url").toString()).toBe(`${step}.3`);
    const beyond = Buffer.from(`${step}.5`).toString("base64url");
    expect((await refusalOf(await server.get(`/api/changes?cursor=${beyond}`))).status).toBe(400);
    const etag = (await server.get("/api/changes")).headers.get("etag") ?? "";
    const headers = { "if-none-match": etag };
    expect((await server.get("/api/changes", { headers })).status).toBe(304);
    // A caller with a key gets a different body.
    expect((await server.get("/api/changes", { headers, key })).status).toBe(200);
  });
});

describe("after installs", () => {
  beforeAll(() => {
    use([testRecord()], "2026-04-01");
    use([grown(HOSTILE, 20_000)], "2026-04-02");
    use([grown(HOSTILE, 25_000)], "2026-04-03");
  });

  test("a changed amount is recorded with its fields, both totals and its filing", async () => {
    const { changes: list } = await changes(`since=${editions[3]}`, { key });
    expect(list).toMatchObject([
      {
        kind: "executive_year",
        change: "changed",
        fiscal_year: 2024,
        executive_id: "ada-byrne",
        fields: ["salary", "total_compensation"],
        total_compensation: { before: 200, after: 250 },
        source: { accession: proxy.accession, filing_url: proxy.url },
      },
    ]);
  });

  test("a date means the first edition of that day; an edition no longer recorded is 410, with what to do", async () => {
    expect(short(await changes("since=2026-04-02"))).toEqual(short(await changes(`since=${editions[3]}`)));
    for (const since of ["2025-01-01", "0123456789abcdef"]) {
      const refused = await refusalOf(await server.get(`/api/changes?since=${since}`));
      expect([refused.status, refused.error]).toEqual([410, "Gone"]);
      expect(refused.message).toContain(`then query since ${editions.at(-1)?.slice(0, 16)}`);
    }
  });

  test.each([
    ["since=yesterday", "since"],
    ["since=ABCDEF0123456789", "since"],
    ["since=", "since"],
    ["since=2026-04-02&since=2026-04-03", "since"],
    ["max_rows=0", "max_rows"],
    ["max_rows=1001", "max_rows"],
    ["cursor=%2e", "cursor"],
    ["since=2026-04-02.x", "since"],
    ["cursor=bm9uZQ", "cursor"],
    ["cursor=LmEuMQ", "cursor"],
    ["sort=cik", "sort"],
  ])("%s is refused with the parameter named", async (search, named) => {
    const refused = await refusalOf(await server.get(`/api/changes?${search}`));
    expect([refused.status, refused.message.includes(named)]).toEqual([400, true]);
  });

  test("a malformed key is refused, not treated as anonymous", async () => {
    expect((await refusalOf(await server.get("/api/changes", { key: "xc_live_none" }))).status).toBe(401);
  });

  test("the feed is valid Atom with absolute links; hostile names are text, and its ids are stable", async () => {
    const answer = await server.get("/changes.atom");
    expect(answer.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const text = await answer.text();
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).not.toContain("<script>");
    const { feed } = feedIn(text);
    expect(feed).toMatchObject({ id: `${server.origin}/changes.atom`, author: { name: "execcomp" } });
    expect(feed.link).toContainEqual({
      rel: "self",
      type: "application/atom+xml",
      href: `${server.origin}/changes.atom`,
    });
    const newest = feed.entry[0];
    const named = `Acme </title>]]><script>alert(1)</script> & "Sons"`;
    expect(newest?.title.trim()).toBe(`${named}  (ACME): fiscal year 2024 changed`);
    expect(newest?.summary).toBe("Fiscal year 2024: 1 executive changed. Edition 2026-04-03 of the dataset.");
    expect(newest?.link).toEqual([{ rel: "alternate", type: "text/html", href: `${server.origin}/t/ACME` }]);
    expect(feed.entry[1]?.link).toContainEqual(expect.objectContaining({ rel: "related", href: proxy.url }));
    for (const { id, updated } of feed.entry) {
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(new Date(updated).toISOString()).toBe(updated);
    }
    const ids = feed.entry.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const again = await server.get("/changes.atom");
    expect(feedIn(await again.text()).feed.entry.map(({ id }) => id)).toEqual(ids);
    const packed = await server.get("/changes.atom", { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    for (const { headers } of [again, packed]) {
      const held = { headers: { "if-none-match": headers.get("etag") ?? "" } };
      expect((await server.get("/changes.atom", held)).status).toBe(304);
    }
    expect(text).not.toMatch(/\b(250|200|25,?000)\b/);
  });

  test("every page links to the feed", async () => {
    const page = await (await server.get("/t/ACME")).text();
    expect(page).toMatch(/<link rel="alternate" href="\/changes\.atom" type="application\/atom\+xml"/);
  });

  test("the command prints the same changes", async () => {
    const { code, out } = await cli(
      "data",
      "changes",
      "--since",
      "2026-04-02",
      "--json",
      "--data-dir",
      dataDir,
    );
    expect([code, short(JSON.parse(out) as Changes)]).toEqual([
      0,
      ["changed executive_year ACME 2024 ada-byrne"],
    ]);
  });
});

interface Feed {
  feed: {
    id: string;
    author: { name: string };
    link: Record<string, string>[];
    entry: { id: string; title: string; updated: string; summary: string; link: Record<string, string>[] }[];
  };
}

function feedIn(text: string): Feed {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    trimValues: false,
    isArray: (name) => name === "entry" || name === "link",
  });
  // The test checks the shape.
  return parser.parse(text) as Feed;
}
