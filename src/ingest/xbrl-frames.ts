/**
 * Tagged totals from the SEC's frames: one request for each year and tag has the newest fact of every filer.
 * @see https://www.sec.gov/search-filings/edgar-application-programming-interfaces
 */
import { type } from "../lib/schema.ts";
import { OperatorError } from "../errors.ts";
import { isFarBelow, type PeoTag } from "../dataset/peo-tags.ts";
import { commitTags, type IngestContext } from "./context.ts";
import { obtain } from "./cache.ts";
import type { Edgar } from "./edgar/client.ts";

/** The total of the principal executive officer, and the average of the others as a check of its scale. */
const TOTAL = "PeoTotalCompAmt";
const AVERAGE = "NonPeoNeoAvgTotalCompAmt";

const frame = type({
  taxonomy: "string",
  tag: "string",
  ccp: "string",
  uom: "string",
  data: type({
    accn: "/^\\d{10}-\\d{2}-\\d{6}$/",
    cik: "0 <= number.integer <= 9999999999",
    end: "/^\\d{4}-\\d{2}-\\d{2}$/",
    val: "number",
  }).array(),
});
type Fact = (typeof frame.infer)["data"][number];

/** Asks for the frames of these years, oldest first, and installs a snapshot with their totals. */
export async function ingestFrames(
  context: IngestContext,
  edgar: Edgar,
  years: readonly number[],
  options: { request: string; onYear(year: number): void },
) {
  const tags: PeoTag[] = [];
  const report: { year: number; totals: number; unknown: number; missing: boolean }[] = [];
  let requests = 0;
  const ask = async (tag: string, year: number): Promise<Fact[] | null> => {
    const path = `/api/xbrl/frames/ecd/${tag}/USD/CY${year}.json`;
    const url = edgar.dataUrl + path;
    // Within a day, an interrupted run resumes from disk.
    const got = await obtain(context, url, async (validators) => {
      requests++;
      const answer = await edgar.get(url, { expect: "json", validators });
      if (answer.kind === "unavailable") throw cannotGet(url, answer.why);
      return answer;
    });
    if (got.kind === "unavailable") throw cannotGet(url, got.why);
    return got.kind === "missing" ? null : readFrame(got.bytes, path, tag, year);
  };
  for (const year of years) {
    options.onYear(year);
    const totals = await ask(TOTAL, year);
    const averages = totals === null ? null : await ask(AVERAGE, year);
    const average = new Map(
      (averages ?? []).map(({ cik, accn, end, val }) => [`${cik} ${accn} ${end}`, val]),
    );
    // Zero means unknown, and a negative total is invalid.
    const positive = (totals ?? []).filter(({ val }) => val > 0);
    const unknown = (totals ?? []).length - positive.length;
    report.push({ year, totals: positive.length, unknown, missing: totals === null });
    for (const { cik, accn, end, val } of positive)
      tags.push({
        cik: String(cik).padStart(10, "0"),
        frame: "",
        periodEnd: end,
        fiscalYear: null,
        name: null,
        cents: Math.round(val * 100),
        farBelowOthers: isFarBelow(val, average.get(`${cik} ${accn} ${end}`) ?? 0),
        sameAs: null,
        provider: "frames",
        accession: accn,
      });
  }
  const byCik = Map.groupBy(tags, ({ cik }) => cik);
  const companies = [...byCik].sort(([a], [b]) => (a < b ? -1 : 1));
  const { changed, contentHash: snapshot } = await commitTags(context.dataDir, context.clock, companies);
  const { request } = options;
  // `changed`: companies with a new or changed total.
  return { request, years: report, requests, companies: byCik.size, changed, snapshot };
}

function cannotGet(url: string, why: string): OperatorError {
  return new OperatorError(`Cannot get ${url}: ${why}. Run the command again: it resumes where it stopped.`);
}

function readFrame(bytes: Uint8Array, path: string, tag: string, year: number): Fact[] {
  const read = frame(JSON.parse(new TextDecoder().decode(bytes)));
  if (read instanceof type.errors)
    throw new OperatorError(`EDGAR's answer to ${path} cannot be read: ${read.summary}`);
  if (read.tag !== tag || read.uom !== "USD" || read.ccp !== `CY${year}`)
    throw new OperatorError(`EDGAR's answer to ${path} is about ${read.tag} in ${read.uom}, ${read.ccp}.`);
  return read.data;
}

/** `CY` frames of tagged totals begin with the fiscal years that the rule of 2022 covers, and its look-back of two years. */
const FIRST_YEAR = 2020;

/** Years such as `2022-2025` or `2024`, oldest first; undefined if they cannot be read. */
export function readFrameYears(text: string, thisYear: number): number[] | undefined {
  const [, from = "", to = from] = /^(\d{4})(?:-(\d{4}))?$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to || from)];
  if (from === "" || first < FIRST_YEAR || last > thisYear || first > last) return undefined;
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
