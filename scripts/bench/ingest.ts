/**
 * A year of proxies: as many as EDGAR receives in a year, of real size, from a server on this machine to the snapshot,
 * without the rate limit; then a stretch with it, to show that it is the only bottleneck.
 *
 *     bun run bench ingest [--documents 6000] [--seconds 150] [--limited 20]
 *
 * Documents are the real filings beside the checkout, each made unique by a comment at its end; without them, generated
 * ones. The run stops at the given time and reports what it reached. The server uses part of the two cores.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { realRuntime } from "../../src/runtime.ts";
import type { WantedCompany } from "../../src/ingest/fetch-filings.ts";
import { createEdgar } from "../../src/ingest/edgar/client.ts";
import { fileRateLimiter } from "../../src/ingest/edgar/rate-limiter.ts";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { hashOf } from "../../src/ingest/raw.ts";
import { ingestFromEdgar } from "../../src/ingest/run.ts";
import { openIngestContext, realClock } from "../../src/ingest/context.ts";
import { type Corpus, startReplay } from "../../test/support/edgar.ts";
import { madeCompany, madeCorpus } from "../../test/support/edgar-made.ts";
import { NO_SHARED, sharedDocument, sharedFilings } from "../../test/support/edgar-shared.ts";

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "6000" },
    seconds: { type: "string", default: "150" },
    limited: { type: "string", default: "20" },
  },
});

const FIRST_CIK = 3_000_000;
const made = Array.from({ length: Number(values.documents) }, (_, at) =>
  madeCompany(FIRST_CIK + at, 2025, 1),
);
const real =
  NO_SHARED === null
    ? sharedFilings()
        .filter(({ rows }) => rows > 0)
        .map(({ file }) => sharedDocument(file))
    : [];
const runtime = realRuntime();
const clock = realClock(runtime);

function say(name: string, figure: string): void {
  console.log(`  ${name.padEnd(44)} ${figure}`);
}

/** Real documents at the addresses of fictitious registrants. */
function fetchDeps(): Corpus {
  const corpus = madeCorpus(made);
  return {
    ...corpus,
    async document(cik, accession, file) {
      const base = real[Number(cik) % Math.max(1, real.length)];
      if (base === undefined) return corpus.document(cik, accession, file);
      return Buffer.concat([base, Buffer.from(`<!-- ${accession} -->\n`)]);
    },
  };
}

const wanted = (count: number, from = 0): WantedCompany[] =>
  made
    .slice(from, from + count)
    .map(({ cik }) => ({ cik, name: "", years: 1, from: "", until: "", known: null }));

async function run(companies: readonly WantedCompany[], perSecond: number, seconds: number) {
  const dataDir = mkdtempSync(join(tmpdir(), "execcomp-crop-"));
  await using replay = await startReplay(fetchDeps());
  const asked: number[] = [];
  try {
    using context = openIngestContext(dataDir, clock);
    const edgar = createEdgar({
      // Gzip would cost the server's share of the same two cores.
      runtime: {
        ...runtime,
        fetch(url, init) {
          asked.push(performance.now());
          return fetch(url, { ...init, headers: { ...init?.headers, "accept-encoding": "identity" } });
        },
      },
      clock,
      rateLimiter: fileRateLimiter(join(dataDir, "edgar"), clock, perSecond),
      contact: "A Benchmark bench@example.com",
      wwwUrl: replay.straightUrl,
      dataUrl: replay.straightUrl,
    });
    const began = performance.now();
    const cpu = process.cpuUsage();
    let stopped = false;
    // Companies after the time limit are skipped, so that the snapshot is built from what was reached.
    const timely = companies.map((one) => one);
    const isOver = () => (stopped ||= performance.now() - began > seconds * 1000);
    const limited = {
      ...edgar,
      get: (url: string, asking: Parameters<typeof edgar.get>[1]) =>
        isOver() ? Promise.resolve({ kind: "missing" as const }) : edgar.get(url, asking),
    };
    let readAfter = 0;
    const report = await ingestFromEdgar(context, limited, timely, () => false, {
      asked: "benchmark",
      monotonic: () => performance.now(),
      onProgress: ({ documents }) => {
        if (!isOver() && documents > 0) readAfter = performance.now() - began;
      },
    });
    const total = (performance.now() - began) / 1000;
    const used = process.cpuUsage(cpu);
    return { report, read: readAfter / 1000, total, cpu: (used.user + used.system) / 1e6, asked };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

console.log(`A year of proxies, ${availableParallelism()} cores, the server on them too`);
{
  const { report, read, total, cpu } = await run(
    wanted(made.length),
    Number.POSITIVE_INFINITY,
    Number(values.seconds),
  );
  const { parsed, refused } = report.documents;
  const megabytes = report.bytes / 1e6;
  say("documents read", `${parsed} with rows, ${refused} refused, ${megabytes.toFixed(0)} MB`);
  say(
    "fetch, keep and read",
    `${read.toFixed(1)} s, ${(parsed / read).toFixed(1)} documents/s, ${(megabytes / read).toFixed(1)} MB/s`,
  );
  say(
    "including making and installing the snapshot",
    `${total.toFixed(1)} s (${report.rows} rows, ${report.companies.changed} companies)`,
  );
  say(
    "CPU, server included",
    `${cpu.toFixed(1)} s, ${((cpu / Math.max(1, parsed)) * 1000).toFixed(0)} ms a document`,
  );
  say(
    "6,000 documents at this speed",
    `${(((6000 / parsed) * read) / 60).toFixed(1)} minutes; at 4 documents/s (the limit) 25 minutes`,
  );
}

console.log("Where the time of one document goes (one thread, mean over the documents)");
{
  const sample = real.length > 0 ? real : [new TextEncoder().encode(made[0]?.filings[0]?.document ?? "")];
  const spent = { read: 0, hash: 0, compress: 0 };
  for (let round = 0; round < 3; round++) {
    for (const document of sample) {
      const bytes = new Uint8Array(document);
      const marks = [performance.now()];
      parseFiling(bytes, { form: "DEF 14A" });
      marks.push(performance.now());
      hashOf(bytes);
      marks.push(performance.now());
      await Bun.zstdCompress(bytes, { level: 3 });
      marks.push(performance.now());
      const [a = 0, b = 0, c = 0, d = 0] = marks;
      spent.read += b - a;
      spent.hash += c - b;
      spent.compress += d - c;
    }
  }
  const size = sample.reduce((sum, { length }) => sum + length, 0) / sample.length / 1e6;
  for (const [name, ms] of Object.entries(spent))
    say(name, `${(ms / 3 / sample.length).toFixed(1)} ms of ${size.toFixed(2)} MB`);
}

if (Number(values.limited) > 0) {
  const seconds = Number(values.limited);
  const { asked } = await run(wanted(seconds * 5), 8, seconds);
  const span = ((asked.at(-1) ?? 0) - (asked[0] ?? 0)) / 1000;
  console.log("With the rate limit of 8 a second");
  say(
    "requests",
    `${asked.length} in ${span.toFixed(1)} s: ${((asked.length - 1) / span).toFixed(2)} a second`,
  );
}
process.exit(0);
