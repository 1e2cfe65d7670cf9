import { refuse, type Refused } from "../problem.ts";

/** The largest document that is read; EDGAR itself rejects larger ones. */
export const MAX_BYTES = 200 * 1024 * 1024;
/** Documents of one submission that are read, in order. */
const MAX_DOCUMENTS = 12;

/** Facts from the SGML header of a full submission. */
interface SubmissionHeader {
  readonly accession: string | null;
  readonly form: string | null;
  readonly cik: string | null;
  readonly companyName: string | null;
  readonly filingDate: string | null;
  readonly period: string | null;
  /** Month and day, `MMDD`. */
  readonly fiscalYearEnd: string | null;
}

/** One document of a filing, decoded. */
export interface SourceDocument {
  /** `<TYPE>` of the document in its SGML wrapper; null without one. */
  readonly type: string | null;
  readonly text: string;
  readonly header: SubmissionHeader | null;
}

/** The documents to try, in order, or why there are none. */
export type Opened = { readonly kind: "documents"; readonly documents: readonly SourceDocument[] } | Refused;

/** Decodes the bytes and splits a full submission into its documents. Never throws. */
export function openDocument(bytes: Uint8Array): Opened {
  if (bytes.length > MAX_BYTES) {
    return refuse("too_large", `${bytes.length} bytes; the limit is ${MAX_BYTES}`);
  }
  const magic = magicOf(bytes);
  if (magic !== null) return refuse("not_a_document", `the first bytes are those of ${magic}`);
  const text = decode(bytes);
  if (text === null) return refuse("not_a_document", "many control characters in what should be text");
  if (!/\S/.test(text)) return refuse("empty", `${bytes.length} bytes without a visible character`);
  return { kind: "documents", documents: split(renameInlineDivs(text)) };
}

const MAGIC: readonly (readonly [string, string])[] = [
  ["PK\u0003\u0004", "a ZIP archive"],
  ["%PDF", "a PDF"],
  ["\u001f\u008b", "a gzip file"],
  ["GIF8", "a GIF image"],
  ["\u0089PNG", "a PNG image"],
  ["\u00ff\u00d8\u00ff", "a JPEG image"],
  ["\u00d0\u00cf\u0011\u00e0", "an old Office file"],
  ["7z\u00bc\u00af", "a 7-Zip archive"],
  ["Rar!", "a RAR archive"],
  ["BZh", "a bzip2 file"],
  ["\u007fELF", "a program"],
];

function magicOf(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  return MAGIC.find(([prefix]) => start.startsWith(prefix))?.[1] ?? null;
}

function decode(bytes: Uint8Array): string | null {
  const [a, b] = [bytes[0], bytes[1]];
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const sample = bytes.subarray(0, 65536);
  let control = 0;
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) control++;
  if (control > 16 && control > sample.length / 50) {
    return null;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decodeDamaged(bytes);
  }
}

/** Decodes bytes that are not valid UTF-8: windows-1252, as most of EDGAR's older documents are, or UTF-8 with a few damaged bytes. */
function decodeDamaged(bytes: Uint8Array): string {
  const lenient = new TextDecoder("utf-8").decode(bytes);
  let bad = 0;
  for (let at = lenient.indexOf("\ufffd"); at >= 0 && bad < 10000; at = lenient.indexOf("\ufffd", at + 1))
    bad++;
  let good = 0;
  for (const _ of lenient.matchAll(/[\u0080-\ufffc]/g)) if (++good > 20000) break;
  return good > bad * 2 ? lenient : new TextDecoder("windows-1252").decode(bytes);
}

function split(text: string): SourceDocument[] {
  const head = text.slice(0, 20000);
  const header = /<SEC-HEADER>|<SEC-DOCUMENT>|PRIVACY-ENHANCED MESSAGE|ACCESSION NUMBER:/i.test(head)
    ? readHeader(head)
    : null;
  const out: SourceDocument[] = [];
  const opening = /<DOCUMENT>/gi;
  let found = opening.exec(text);
  const isSubmission = found !== null;
  while (found !== null && out.length < MAX_DOCUMENTS) {
    const start = found.index;
    const next = opening.exec(text);
    const end = next?.index ?? text.length;
    const meta = text.slice(start, start + 1000);
    const type = /<TYPE>\s*([^\r\n<]+)/i.exec(meta)?.[1]?.trim() ?? null;
    const body = /<TEXT>/i.exec(meta);
    const from = start + (body === null ? 0 : body.index + body[0].length);
    if (readable(type)) out.push({ type, text: text.slice(from, end), header });
    found = next;
  }
  if (out.length === 0) out.push({ type: null, text: isSubmission ? "" : text, header });
  return out;
}

/** Whether a document can contain the filer's own table. An exhibit may contain another company's, such as a target's or predecessor's. */
function readable(type: string | null): boolean {
  return type === null || !/^(GRAPHIC|ZIP|EXCEL|XML|JSON|PDF|COVER|EX-)/i.test(type);
}

function readHeader(head: string): SubmissionHeader {
  const value = (label: string): string | null =>
    new RegExp(`^\\s*${label}:[ \\t]*(\\S[^\\r\\n]*)`, "im").exec(head)?.[1]?.trim() ?? null;
  return {
    accession: value("ACCESSION NUMBER"),
    form: value("CONFORMED SUBMISSION TYPE"),
    cik: value("CENTRAL INDEX KEY")?.padStart(10, "0") ?? null,
    companyName: value("COMPANY CONFORMED NAME"),
    filingDate: dated(value("FILED AS OF DATE")),
    period: dated(value("CONFORMED PERIOD OF REPORT")),
    fiscalYearEnd: /^\d{4}$/.exec(value("FISCAL YEAR END") ?? "")?.[0] ?? null,
  };
}

function dated(compact: string | null): string | null {
  const parts = /^(\d{4})(\d\d)(\d\d)$/.exec(compact ?? "");
  return parts === null ? null : `${parts[1]}-${parts[2]}-${parts[3]}`;
}

/** A `<div>` with an inline style. Donnelley's converter wraps hyphenated words and footnote markers in them. */
const INLINE = /display\s*:\s*inline\s*(?:[;"']|$)/i;
const DIVISION = /<(\/?)div(?=[\s>])([^<>]*)>/gi;

/** Renames inline `<div>`s to an inline element of the same length, so that they do not end a line. */
export function renameInlineDivs(text: string): string {
  // Most documents have no such style: a plain search is ten times faster than the pattern.
  if (!text.includes("inline") && !text.includes("INLINE")) return text;
  if (!/<div\b[^<>]*display\s*:\s*inline\s*[;"']/i.test(text)) return text;
  const open: boolean[] = [];
  return text.replace(DIVISION, (tag, slash: string, attributes: string) => {
    if (attributes.endsWith("/")) return tag;
    if (slash === "") open.push(INLINE.test(attributes));
    const inline = slash === "" ? open.at(-1) : open.pop();
    return inline === true ? `<${slash}bdi${attributes}>` : tag;
  });
}
