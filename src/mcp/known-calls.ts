/**
 * Plain calls that come again with another id. A call is known by its text without the id; whatever was read of the text
 * is read once. Nothing of who calls is kept: every call is admitted, counted and charged as the first was.
 */
import type { McpEndpoint } from "../base-urls.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { MirroredHeaders, PlainCall } from "./classify.ts";

/** What a text asks, apart from its id. */
export interface ReadCall {
  plain: PlainCall;
  /** The whole message as it came first, for what clients say of themselves; its id is that of the first. */
  message: unknown;
  revision: string;
}

/** Texts kept for each kind of caller, and the longest that is: 4 MB in all. */
const KEPT = 1024;
const MAX_LENGTH = 1000;

interface Kept extends ReadCall {
  endpoint: McpEndpoint;
  headers: MirroredHeaders;
  /** Whether the id is nothing but what stood in its place; found out when the text comes again. */
  isChecked: boolean;
}

/** A text around its id. */
interface Split {
  before: string;
  /** As it is written. */
  id: string;
  after: string;
}

/**
 * An id that is written in one way only, and is said again as it is written: first in a message, as the protocol's examples
 * have it, or last, as its libraries write it.
 */
const FIRST = /^(\{"jsonrpc": ?"2\.0", ?"id": ?)(0|[1-9]\d{0,14}|"[\w-]{1,64}")(?=,)/;
const LAST = /("id": ?)(0|[1-9]\d{0,14}|"[\w-]{1,64}")(?=\}$)/;

/** A call with its own id in place of the first one's; it needs no reading any more. */
export interface KnownCall extends ReadCall {
  kind: "message";
}

/** Keeps nothing yet; what callers with a credential sent stands apart from the rest, which drives out none of it. */
export function createKnownCalls() {
  const ofKnown = new BoundedCache<string, Kept>(KEPT);
  const ofAnyone = new BoundedCache<string, Kept>(KEPT);
  const cacheOf = (whose: "known" | "anyone") => (whose === "known" ? ofKnown : ofAnyone);
  return {
    /** The call that a text is; undefined where it has to be read. */
    find(
      whose: "known" | "anyone",
      text: string,
      endpoint: McpEndpoint,
      headers: MirroredHeaders,
    ): KnownCall | undefined {
      const split = splitId(text);
      if (split === undefined) return undefined;
      const kept = cacheOf(whose).get(keyOf(split));
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
    /** Keeps a call that was answered. */
    keep(
      whose: "known" | "anyone",
      text: string,
      endpoint: McpEndpoint,
      headers: MirroredHeaders,
      read: ReadCall,
    ): void {
      const split = splitId(text);
      if (split === undefined) return;
      cacheOf(whose).getOrMake(keyOf(split), () => ({ ...read, endpoint, headers, isChecked: false }));
    },
  };
}

function keyOf({ before, after }: Split): string {
  // No text has this character unescaped: JSON forbids it.
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

/** Whether another id in its place makes the same message with that id: a second member of that name would win. */
function isIdAlone({ before, after }: Split): boolean {
  const ids = ["known-calls-a", "known-calls-b"].map((id) => {
    // What is parsed was parsed before, with another id.
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
