import { basename } from "node:path";
import { type Asking, type Edgar, type Fetched } from "./client.ts";

/**
 * A document, whole. One that ends in the middle of its markup is asked for again; when it still does, EDGAR's own list
 * of the filing's files says how long it should be. So a cut document is never taken for a short table.
 */
export async function fetchDocument(
  edgar: Edgar,
  url: string,
  asking: Omit<Asking, "expect">,
): Promise<Fetched> {
  const first = await edgar.get(url, { ...asking, expect: "document" });
  if (first.kind !== "ok" || hasEnd(first.bytes)) return first;
  const second = await edgar.get(url, { ...asking, expect: "document" });
  if (second.kind !== "ok" || hasEnd(second.bytes)) return second;
  const size = await sizeByIndex(edgar, url, asking);
  const { length } = second.bytes;
  const same = length === first.bytes.length;
  if (size === null ? same : length === size) return second;
  return {
    kind: "unavailable",
    why: `${url} is truncated: ${length} bytes of ${size ?? first.bytes.length}`,
  };
}

/** Whether the last bytes close the document; plain text has no such mark. */
function hasEnd(bytes: Uint8Array): boolean {
  const latin1 = new TextDecoder("latin1");
  const isMarkup = /<html|<body|<document>|<table/i.test(latin1.decode(bytes.subarray(0, 4096)));
  if (!isMarkup) return true;
  return /<\/(html|body|document|text|sec-document)\s*>/i.test(latin1.decode(bytes.subarray(-2048)));
}

/** The file's length by `index.json` of its folder; null where EDGAR does not say. */
async function sizeByIndex(
  edgar: Edgar,
  url: string,
  asking: Omit<Asking, "expect">,
): Promise<number | null> {
  const { signal } = asking;
  const got = await edgar.get(new URL("index.json", url).href, { expect: "json", signal });
  if (got.kind !== "ok") return null;
  const found = [
    ...new TextDecoder().decode(got.bytes).matchAll(/"name"\s*:\s*"([^"]*)"[^}]*"size"\s*:\s*"(\d+)"/g),
  ];
  const name = decodeURIComponent(basename(new URL(url).pathname));
  const size = found.find((match) => match[1] === name)?.[2];
  return size === undefined ? null : Number(size);
}
