import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type } from "../domain/schema.ts";

/** A requested document. */
const journalEntry = type({
  url: "string",
  accession: "string",
  cik: "string",
  form: "string",
  companyName: "string",
  filingDate: "string",
  /** Null if EDGAR does not have the document. */
  sha256: "string | null",
  bytes: "number",
  etag: "string | null",
  lastModified: "string | null",
  fetchedAtMs: "number",
});

/** A requested document, with its hash in the raw store. */
export type JournalEntry = typeof journalEntry.infer;

/** Which documents were fetched and when, so that a run after a crash need not fetch them again. */
export interface Journal {
  find(url: string): JournalEntry | undefined;
  /** The entries of one registrant. */
  of(cik: string): readonly JournalEntry[];
  add(entry: JournalEntry): void;
}

/**
 * A journal in a file with one JSON line per entry; the last entry of a URL counts. A line truncated by a crash is skipped,
 * and the next entry starts on a new line.
 */
export function fileJournal(file: string): Journal {
  const byUrl = new Map<string, JournalEntry>();
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  let lines = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    lines++;
    const entry = readLine(line);
    if (entry !== null) byUrl.set(entry.url, entry);
  }
  mkdirSync(dirname(file), { recursive: true });
  if (lines > 2 * byUrl.size + 100) {
    const fresh = `${file}.${process.pid}.new`;
    writeFileSync(fresh, [...byUrl.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    renameSync(fresh, file);
  } else if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");

  return {
    find: (url) => byUrl.get(url),
    of: (cik) => [...byUrl.values()].filter((entry) => entry.cik === cik),
    add(entry) {
      byUrl.set(entry.url, entry);
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
    },
  };
}

function readLine(line: string): JournalEntry | null {
  try {
    const entry = journalEntry(JSON.parse(line));
    return entry instanceof type.errors ? null : entry;
  } catch {
    return null;
  }
}
