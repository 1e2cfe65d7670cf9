import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type } from "../domain/schema.ts";

/** What is known about one document that was asked for. */
const journalEntry = type({
  url: "string",
  accession: "string",
  cik: "string",
  form: "string",
  companyName: "string",
  filingDate: "string",
  /** Null when EDGAR has no such document. */
  sha256: "string | null",
  bytes: "number",
  etag: "string | null",
  lastModified: "string | null",
  fetchedAtMs: "number",
});

/** One document that was asked for, and its name in the raw store. */
export type JournalEntry = typeof journalEntry.infer;

/** Which documents were fetched and when: what a run after a kill need not ask for again. */
export interface Journal {
  find(url: string): JournalEntry | undefined;
  /** The entries of one registrant. */
  of(cik: string): readonly JournalEntry[];
  add(entry: JournalEntry): void;
}

/**
 * A journal in a file, one JSON line an entry, the last one of an address counts.
 * A line that a kill has cut is passed over, and what follows starts on a line of its own.
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
