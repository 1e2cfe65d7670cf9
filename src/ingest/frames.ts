/**
 * Tagged totals from the SEC's frames: one request for each year and tag has the newest fact of every filer.
 * @see https://www.sec.gov/search-filings/edgar-application-programming-interfaces
 */
import { type } from "../domain/schema.ts";
import { OperatorError } from "../errors.ts";
import { isFarBelow, type PeoTag } from "../dataset/peo-tags.ts";
import { commitTags, type Committed, type IngestContext } from "./context.ts";
import type { Edgar } from "./edgar/client.ts";

/** The total of the principal executive officer, and the average of the others as a check of its scale. */
const TOTAL = "PeoTotalCompAmt";
const AVERAGE = "NonPeoNeoAvgTotalCompAmt";

/** An answer is asked for again after this long; within it a run that was interrupted goes on from the disk. */
const FRESH_MS = 24 * 60 * 60_000;
/** Cool-downs to wait for, per request. */
const MAX_WAITS = 6;

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

/** The result of a run. */
export interface FramesReport {
  asked: string;
  years: { year: number; totals: number; unknown: number; missing: boolean }[];
  requests: number;
  companies: number;
  /** Companies with a new or changed total. */
  changed: number;
  snapshot: Committed["contentHash"];
}

/** Asks for the frames of these years, oldest first, and installs a snapshot with their totals. */
export async function ingestFrames(
  context: IngestContext,
  edgar: Edgar,
  years: readonly number[],
  options: { asked: string; onYear(year: number): void; onWait?: ((untilMs: number) => void) | undefined },
): Promise<FramesReport> {
  const tags: PeoTag[] = [];
  const report: FramesReport["years"] = [];
  let requests = 0;
  const ask = async (tag: string, year: number): Promise<Fact[] | null> => {
    const path = `/api/xbrl/frames/ecd/${tag}/USD/CY${year}.json`;
    const { bytes, fromDisk } = await obtain(context, edgar, edgar.dataUrl + path, options.onWait);
    if (!fromDisk) requests++;
    return bytes === null ? null : readFrame(bytes, path, tag, year);
  };
  for (const year of years) {
    options.onYear(year);
    const totals = await ask(TOTAL, year);
    const averages = totals === null ? null : await ask(AVERAGE, year);
    const average = new Map(
      (averages ?? []).map(({ cik, accn, end, val }) => [`${cik} ${accn} ${end}`, val]),
    );
    // A zero is unknown, and a negative total is none.
    const known = (totals ?? []).filter(({ val }) => val > 0);
    report.push({
      year,
      totals: known.length,
      unknown: (totals ?? []).length - known.length,
      missing: totals === null,
    });
    for (const { cik, accn, end, val } of known) {
      tags.push({
        cik: String(cik).padStart(10, "0"),
        frame: "",
        periodEnd: end,
        name: null,
        cents: Math.round(val * 100),
        farBelowOthers: isFarBelow(val, average.get(`${cik} ${accn} ${end}`) ?? 0),
        sameAs: null,
        provider: "frames",
        accession: accn,
      });
    }
  }
  const byCik = Map.groupBy(tags, ({ cik }) => cik);
  const { changed, contentHash } = await commitTags(
    context.dataDir,
    context.clock,
    [...byCik].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return {
    asked: options.asked,
    years: report,
    requests,
    companies: byCik.size,
    changed,
    snapshot: contentHash,
  };
}

/** An answer from the disk if it is fresh, else from EDGAR; null if EDGAR has no such frame. @throws OperatorError */
async function obtain(
  { raw, journal, clock }: IngestContext,
  edgar: Edgar,
  url: string,
  onWait: ((untilMs: number) => void) | undefined,
): Promise<{ bytes: Uint8Array | null; fromDisk: boolean }> {
  const entry = journal.find(url);
  const isFresh = entry !== undefined && clock.now() - entry.fetchedAtMs < FRESH_MS;
  if (isFresh && entry.sha256 === null) return { bytes: null, fromDisk: true };
  const copy = entry?.sha256 ? await raw.get(entry.sha256) : null;
  if (isFresh && copy !== null) return { bytes: copy, fromDisk: true };
  const held = copy === null ? undefined : entry;
  const note = (more: {
    sha256: string | null;
    bytes: number;
    etag: string | null;
    lastModified: string | null;
  }) =>
    journal.add({
      url,
      accession: "",
      cik: "",
      form: "",
      companyName: "",
      filingDate: "",
      fetchedAtMs: clock.now(),
      ...more,
    });
  for (let waits = 0; ; waits++) {
    const got = await edgar.get(url, { expect: "json", held });
    switch (got.kind) {
      case "ok": {
        const { bytes, etag, lastModified } = got;
        note({ sha256: await raw.put(bytes), bytes: bytes.length, etag, lastModified });
        return { bytes, fromDisk: false };
      }
      case "unchanged":
        if (copy === null || held === undefined)
          throw new OperatorError(`${url} answered 304 to an unconditional request.`);
        note(held);
        return { bytes: copy, fromDisk: false };
      case "missing":
        note({ sha256: null, bytes: 0, etag: null, lastModified: null });
        return { bytes: null, fromDisk: false };
      case "unavailable":
        throw new OperatorError(
          `Cannot get ${url}: ${got.why}. Run the command again: it goes on from what it has.`,
        );
      case "cooling":
        if (waits >= MAX_WAITS)
          throw new OperatorError(
            `EDGAR is blocking this address until ${new Date(got.untilMs).toISOString()}.`,
          );
        onWait?.(got.untilMs);
        await clock.sleep(got.untilMs - clock.now() + 1000);
    }
  }
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
