/**
 * Caches plain calls by their text without the id, so that recurring calls are parsed once. Nothing about the caller is
 * cached: each call is admitted, counted and charged like the first.
 */
import type { McpEndpoint } from "../http/base-urls.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { MirroredHeaders, PlainCall } from "./classify.ts";

/** A parsed call, without its id. */
export interface ReadCall {
  plain: PlainCall;
  /** The first message with this text, for the client info; its id is not the current one. */
  message: unknown;
  revision: string;
}

/** Number of texts cached per kind of caller, and the longest: 4 MB in total. */
const MAX_CACHED = 1024;
const MAX_LENGTH = 1000;

interface Kept extends ReadCall {
  endpoint: McpEndpoint;
  headers: MirroredHeaders;
  /** Whether changing the id in the text changes only the id; determined when the text recurs. */
  isChecked: boolean;
}

/** A text split around its id. */
interface Split {
  before: string;
  /** As written. */
  id: string;
  after: string;
}

/**
 * An id that can be written in only one way and is repeated as written: first in a message, as in the protocol's
 * examples, or last, as its libraries write it.
 */
const FIRST = /^(\{"jsonrpc": ?"2\.0", ?"id": ?)(0|[1-9]\d{0,14}|"[\w-]{1,64}")(?=,)/;
const LAST = /("id": ?)(0|[1-9]\d{0,14}|"[\w-]{1,64}")(?=\}$)/;

/** A known call with the current id, ready to run. */
export interface KnownCall extends ReadCall {
  kind: "message";
}

/** Creates an empty cache. Calls with a credential have a separate cache, so that others cannot evict them. */
export function createKnownCalls() {
  const ofKnown = new BoundedCache<string, Kept>(MAX_CACHED);
  const ofAnyone = new BoundedCache<string, Kept>(MAX_CACHED);
  const cacheOf = (callerKind: "known" | "anyone") => (callerKind === "known" ? ofKnown : ofAnyone);
  return {
    /** The known call of a text; undefined if it has to be parsed. */
    find(
      callerKind: "known" | "anyone",
      text: string,
      endpoint: McpEndpoint,
      headers: MirroredHeaders,
    ): KnownCall | undefined {
      const split = splitId(text);
      if (split === undefined) return undefined;
      const kept = cacheOf(callerKind).get(keyOf(split));
      if (kept === undefined || kept.endpoint !== endpoint || !isSame(kept.headers, headers))
        return undefined;
      kept.isChecked ||= isIdAlone(split);
      if (!kept.isChecked) return undefined;
      const { message, revision } = kept;
      const { family, name, arguments: given } = kept.plain;
      return {
        kind: "message",
        plain: { family, id: idOf(split.id), name, arguments: given },
        message,
        revision,
      };
    },
    /** Caches a call that was answered. */
    keep(
      callerKind: "known" | "anyone",
      text: string,
      endpoint: McpEndpoint,
      headers: MirroredHeaders,
      read: ReadCall,
    ): void {
      const split = splitId(text);
      if (split === undefined) return;
      cacheOf(callerKind).getOrMake(keyOf(split), () => ({ ...read, endpoint, headers, isChecked: false }));
    },
  };
}

function keyOf({ before, after }: Split): string {
  // JSON does not allow this character unescaped.
  return `${before}\u0000${after}`;
}

function splitId(text: string): Split | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const found = FIRST.exec(text) ?? LAST.exec(text);
  const [, name, id] = found ?? [];
  if (found === null || name === undefined || id === undefined) return undefined;
  const at = found.index + name.length;
  return { before: text.slice(0, at), id, after: text.slice(at + id.length) };
}

/** Whether replacing the id yields the same message with the new id; a duplicate member would override it. */
function isIdAlone({ before, after }: Split): boolean {
  const ids = ["known-calls-a", "known-calls-b"].map((id) => {
    // The text has been parsed before, with another id.
    const message: { id?: unknown } = JSON.parse(`${before}"${id}"${after}`);
    return message.id;
  });
  return ids[0] === "known-calls-a" && ids[1] === "known-calls-b";
}

function idOf(written: string): string | number {
  return written.startsWith('"') ? written.slice(1, -1) : Number(written);
}

function isSame(a: MirroredHeaders, b: MirroredHeaders): boolean {
  return a.version === b.version && a.method === b.method && a.name === b.name;
}
