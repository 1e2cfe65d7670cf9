/** Progress and results of `execcomp ingest`. */
import { join } from "node:path";
import { type IngestProgress, readIngestProgress, writeIngestProgress } from "../../operate/ingest.ts";
import { type IngestReport, reportLines, reportPage } from "../../ingest/report.ts";
import type { Progress, RunOptions } from "../../ingest/run.ts";
import { recordOutside } from "../accounts/accounts.ts";
import type { Io } from "../command.ts";

/** Run options that show progress on a status line, and in a file for the admin pages. */
export function runOptions(
  io: Io,
  flags: Readonly<Record<string, string | boolean | undefined>>,
  symbols: readonly string[],
): RunOptions {
  let shownAt = -1000;
  let reportedUntilMs = 0;
  const listed = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined || value === false || name === "ticker" || name === "byServer"
      ? []
      : [value === true ? name : `${name} ${value}`],
  );
  const asked = [...(symbols.length > 0 ? [`ticker ${symbols.join(",")}`] : []), ...listed].join(", ");
  const { dataDir } = io.loaded.config;
  let notedAt = io.runtime.monotonic();
  return {
    asked,
    monotonic: io.runtime.monotonic,
    onWait(untilMs) {
      // Every company in progress hits the same cool-down; it is reported once.
      if (untilMs === reportedUntilMs) return;
      reportedUntilMs = untilMs;
      io.status("");
      io.note(
        `EDGAR is rate limiting this address; continuing at ${new Date(untilMs).toISOString().slice(11, 19)} UTC.`,
      );
    },
    onProgress(progress) {
      const now = io.runtime.monotonic();
      if (now - shownAt < 100 && progress.done < progress.total) return;
      shownAt = now;
      io.status(progressLine(progress));
      if (now - notedAt < NOTE_MS) return;
      notedAt = now;
      writeIngestProgress(dataDir, progressOf(io, asked, progress));
    },
  };
}

/** Interval of updates to the progress file. */
const NOTE_MS = 1000;

const NOTHING_YET: Progress = { done: 0, total: 0, documents: 0, rows: 0, problems: 0, bytes: 0, seconds: 0 };

function progressOf(io: Io, asked: string, { seconds, ...progress }: Progress): IngestProgress {
  const updatedAtMs = io.runtime.now();
  const startedAtMs = updatedAtMs - seconds * 1000;
  return {
    pid: process.pid,
    asked,
    state: "running",
    startedAtMs,
    updatedAtMs,
    seconds,
    ...progress,
    report: [],
    made: null,
  };
}

/** `[#####-----] 12/30  14 files  180 rows  3 problems  12.3 MB/s  0:42 left` */
export function progressLine({ done, total, documents, rows, problems, bytes, seconds }: Progress): string {
  const width = 24;
  const full = total === 0 ? width : Math.floor((done / total) * width);
  const left = done === 0 ? null : ((total - done) * seconds) / done;
  const clock =
    left === null ? "" : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")} left`;
  const speed = (bytes / 1e6 / Math.max(seconds, 0.001)).toFixed(1);
  const bar = `[${"#".repeat(full)}${"-".repeat(width - full)}]`;
  return `${bar} ${done}/${total}  ${documents} files  ${rows} rows  ${problems} problems  ${speed} MB/s  ${clock}`.trimEnd();
}

/** Records the start of a run. */
export async function noteStart(io: Io, asked: string, isServers: boolean): Promise<void> {
  writeIngestProgress(io.loaded.config.dataDir, progressOf(io, asked, NOTHING_YET));
  if (!isServers) await recordOutside(io, { act: "ingest_started", after: { asked } });
}

/** Reports the result of a run: on the terminal, in a report file and in the audit log. @returns the exit code */
export async function finish(
  report: IngestReport,
  { report: file, byServer: isServers }: { report?: string | undefined; byServer: boolean },
  io: Io,
): Promise<number> {
  io.status("");
  const { dataDir } = io.loaded.config;
  const made = report.companies.changed > 0 ? report.snapshot : null;
  const last = readIngestProgress(dataDir);
  if (last !== null) {
    const updatedAtMs = io.runtime.now();
    const documents = report.documents.seen;
    const ended = { state: "ended", done: last.total, documents, report: reportLines(report), made } as const;
    writeIngestProgress(dataDir, { ...last, ...ended, rows: report.rows, updatedAtMs });
  }
  if (made !== null && !isServers) {
    const after = { companies: report.companies.changed, rows: report.rows };
    await recordOutside(io, { act: "dataset_installed", subject: made, after });
  }
  const base = file?.replace(/\.(html|json)$/, "") ?? join(io.loaded.config.dataDir, "reports", "ingest");
  await Bun.write(`${base}.json`, `${JSON.stringify(report, null, 2)}\n`);
  await Bun.write(`${base}.html`, reportPage(report));
  if (io.json) io.printJson(report);
  else for (const line of [...reportLines(report), `Report: ${base}.html`]) io.print(line);
  const { parsed, failed } = report.documents;
  return parsed === 0 && (failed > 0 || report.failures.length > 0) ? 1 : 0;
}
