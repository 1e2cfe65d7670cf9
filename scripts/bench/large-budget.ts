/** The cost of a cold company, and the memory of a server on many rows, part by part. */
import { COMPENSATION_PARAMETERS } from "../../src/domain/parameters.ts";
import { readQuery } from "../../src/domain/query.ts";
import { memoryBody, parameters } from "../../src/http/responses.ts";
import { joined } from "../../src/operations/operation.ts";
import { buildColumns } from "../../src/analysis/columns.ts";
import { openFile, openToReadThrough } from "../../src/dataset/open.ts";
import { datasetOf } from "../../src/dataset/reader.ts";

/** A part and its size or cost. */
export type Part = readonly [about: string, figure: number];

/** Companies over which each part is measured: different ones each time, so that nothing is cached. */
const COMPANIES = 2500;
const ROUNDS = 4;

/**
 * Microseconds of CPU of each part of an answer for a company that is not in memory, measured separately in this
 * process.
 */
export function coldParts(file: string, ciks: readonly string[]): Part[] {
  const dataset = datasetOf(openFile(file), "installed");
  const parts: Readonly<Record<string, (cik: string) => unknown>> = {
    "address and parameters parsed": (cik) =>
      readQuery(
        parameters(new URL(`http://localhost/api/executive-compensation?cik=${cik}`).searchParams),
        COMPENSATION_PARAMETERS,
      ),
    "company and newest filing from SQLite": (cik) => dataset.findByCik(cik),
    "years and rows from SQLite, bytes of the answer joined": (cik) => {
      const years = dataset.fiscalYears(cik).map(({ fiscalYear }) => fiscalYear);
      return joined([...dataset.rowsJson(cik, dataset.findByCik(cik)?.ticker ?? "", years.slice(0, 4))]);
    },
    "a response with its headers, and its clone": () => {
      const head = new Headers({ "cache-control": "private", etag: "x", "content-type": "application/json" });
      head.set("ratelimit-policy", "x");
      return new Response(memoryBody(BODY), { headers: head }).clone();
    },
  };
  // Each part after the one before it, on the same companies, so that it finds the same data in memory.
  const least = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const some = ciks.slice(round * COMPANIES, (round + 1) * COMPANIES);
    if (some.length === 0) break;
    for (const [about, work] of Object.entries(parts)) {
      const before = process.cpuUsage();
      for (const cik of some) work(cik);
      const { user, system } = process.cpuUsage(before);
      least.set(about, Math.min(least.get(about) ?? Infinity, (user + system) / some.length));
    }
  }
  return [...least];
}

const BODY = new Uint8Array(16_000);

/** MB of a dataset's columns as numbers and as text, without overhead. */
export function columnParts(file: string): Part[] {
  const snapshot = openToReadThrough(file);
  const sizes = { numbers: 0, texts: 0 };
  measure(buildColumns(datasetOf(snapshot, "installed")), sizes, new Set());
  snapshot.database.close();
  return [
    ["columns as numbers", sizes.numbers / 2 ** 20],
    ["names, ids and companies as text", sizes.texts / 2 ** 20],
  ];
}

function measure(value: unknown, sizes: { numbers: number; texts: number }, seen: Set<unknown>): void {
  if (typeof value === "string") sizes.texts += value.length;
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    // Several views may share one buffer.
    if (!seen.has(value.buffer)) sizes.numbers += value.buffer.byteLength;
    seen.add(value.buffer);
    return;
  }
  for (const member of Object.values(value)) measure(member, sizes, seen);
}
