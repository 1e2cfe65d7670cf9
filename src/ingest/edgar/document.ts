import { basename } from "node:path";
import { type RequestOptions, type Edgar, type Fetched } from "./client.ts";

/**
 * Fetches a complete document. If it ends in the middle of its markup, it is fetched again; if it still does, its length is
 * checked against EDGAR's index of the filing. A truncated document is therefore never mistaken for a short table.
 */
export async function fetchDocument(
  edgar: Edgar,
  url: string,
  options: Omit<RequestOptions, "expect">,
): Promise<Fetched> {
  const first = await edgar.get(url, { ...options, expect: "document" });
  if (first.kind !== "ok" || hasEnd(first.bytes)) return first;
  const second = await edgar.get(url, { ...options, expect: "document" });
  if (second.kind !== "ok" || hasEnd(second.bytes)) return second;
  const size = await sizeByIndex(edgar, url, options);
  const { length } = second.bytes;
  const same = length === first.bytes.length;
  if (size === null ? same : length === size) return second;
  return {
    kind: "unavailable",
    why: `${url} is truncated: ${length} bytes of ${size ?? first.bytes.length}`,
  };
}

/** Whether the document ends with a closing tag; plain text has none and always counts as complete. */
function hasEnd(bytes: Uint8Array): boolean {
  const latin1 = new TextDecoder("latin1");
  const isMarkup = /<html|<body|<document>|<table/i.test(latin1.decode(bytes.subarray(0, 4096)));
  if (!isMarkup) return true;
  return /<\/(html|body|document|text|sec-document)\s*>/i.test(latin1.decode(bytes.subarray(-2048)));
}

/** The file's length according to `index.json` of its folder; null if EDGAR does not say. */
async function sizeByIndex(
  edgar: Edgar,
  url: string,
  options: Omit<RequestOptions, "expect">,
): Promise<number | null> {
  const { signal } = options;
  const got = await edgar.get(new URL("index.json", url).href, { expect: "json", signal });
  if (got.kind !== "ok") return null;
  const found = [
    ...new TextDecoder().decode(got.bytes).matchAll(/"name"\s*:\s*"([^"]*)"[^}]*"size"\s*:\s*"(\d+)"/g),
  ];
  const name = decodeURIComponent(basename(new URL(url).pathname));
  const size = found.find((match) => match[1] === name)?.[2];
  return size === undefined ? null : Number(size);
}
