/**
 * Classifies a POST to the MCP endpoint before the protocol library sees it, and answers plain handshakes without the
 * library, whose loading blocks the event loop for 20 ms and which a session of plain messages never needs. All other
 * messages, valid or not, go to the library, and a test checks that both give the same answers. Pure functions of a
 * parsed body and three headers.
 * @see docs/protocols.md, 2.2, and docs/decisions/mcp-two-paths.md
 */
import { IMPLEMENTATION, type Offer } from "./tools.ts";

/** The revision without a handshake, in which every message names its revision. */
export const MODERN_REVISION = "2026-07-28";
/** The revisions that start with `initialize`, newest first. */
export const LEGACY_REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

/** The two families of protocol revisions. */
export type ProtocolFamily = "modern" | "legacy";

/** A plain `tools/call`, which can be answered without the protocol library. */
export interface PlainCall {
  family: ProtocolFamily;
  id: string | number;
  name: string;
  arguments: Members;
}

/** Headers that repeat values of the body, in the newer family. */
export type MirroredHeaders = ReturnType<typeof mirroredHeaders>;

const META_VERSION = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
/** Member of `_meta` with this server's name and version. */
export const META_SERVER = "io.modelcontextprotocol/serverInfo";
const META_CLIENT = "io.modelcontextprotocol/clientInfo";

type Members = Readonly<Record<string, unknown>>;
type Test<T> = (value: unknown) => value is T;

/** The mirrored headers of a request. */
export function mirroredHeaders(headers: Headers) {
  return {
    version: headers.get("mcp-protocol-version"),
    method: headers.get("mcp-method"),
    name: headers.get("mcp-name"),
  };
}

/** Whether the message is a request to call a tool, even if malformed. */
export function isToolCall(message: unknown): boolean {
  return isObject(message) && message["method"] === "tools/call" && message["id"] !== undefined;
}

/** The client's name in a message of the newer family. Unverified; only for the form of an answer. */
export function clientNameOf(message: unknown): string | undefined {
  const name = membersOf(metaOf(message)[META_CLIENT])["name"];
  return typeof name === "string" ? name : undefined;
}

/** The revision in the message, else in the header, else the oldest supported. */
export function revisionOf(message: unknown, { version }: MirroredHeaders): string {
  const revision = metaOf(message)[META_VERSION];
  return typeof revision === "string" ? revision : (version ?? "2025-03-26");
}

function metaOf(message: unknown): Members {
  return membersOf(membersOf(membersOf(message)["params"])["_meta"]);
}

/** The members of an object; none for another value. */
function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** Whether a JSON value is an object. */
function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A test for objects with no other members than these; those whose test accepts undefined may be absent. */
function shape<Tests extends Readonly<Record<string, Test<unknown>>>>(members: Tests) {
  const tests = Object.entries(members);
  type Shape = { [Name in keyof Tests]: Tests[Name] extends Test<infer T> ? T : never };
  return (value: unknown): value is Shape => {
    if (!isObject(value)) return false;
    for (const name in value) if (!Object.hasOwn(members, name)) return false;
    return tests.every(([name, test]) => test(value[name]));
  };
}

const is =
  <const T>(expected: T): Test<T> =>
  (value): value is T =>
    value === expected;
const optional =
  <T>(test: Test<T>): Test<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || test(value);
const isText: Test<string> = (value) => typeof value === "string";
const isBoolean: Test<boolean> = (value) => typeof value === "boolean";
/** An id of a request, or a progress token. */
const isId: Test<string | number> = (value): value is string | number =>
  typeof value === "string" || Number.isSafeInteger(value);
/** Absent, or an empty object. */
const isNothing = optional(shape({}));
const isLegacyRevision: Test<string> = (value): value is string =>
  LEGACY_REVISIONS.some((revision) => revision === value);

// Deliberately stricter than the protocol: unusual messages, valid or not, are answered by the protocol library.
const isCall = shape({
  jsonrpc: is("2.0"),
  id: isId,
  method: is("tools/call"),
  params: shape({ name: isText, arguments: optional(isObject), _meta: optional(isObject) }),
});
const isInitialized = shape({
  jsonrpc: is("2.0"),
  method: is("notifications/initialized"),
  params: isNothing,
});
const isRequest = shape({ jsonrpc: is("2.0"), id: isId, method: isText, params: optional(isObject) });
const isClient = shape({ name: isText, version: isText, title: optional(isText) });
const isInitialize = shape({
  protocolVersion: isLegacyRevision,
  capabilities: shape({
    roots: optional(shape({ listChanged: optional(isBoolean) })),
    sampling: isNothing,
    elicitation: isNothing,
  }),
  clientInfo: isClient,
});
const isLegacyMeta = optional(shape({ progressToken: optional(isId) }));
/** A capability whose own members are empty objects. */
const isCapability = optional(
  (value): value is Members => isObject(value) && Object.values(value).every(isNothing),
);
const isModernMeta = shape({
  progressToken: optional(isId),
  [META_VERSION]: is(MODERN_REVISION),
  [META_CAPABILITIES]: shape({ elicitation: isCapability, sampling: isCapability, roots: isCapability }),
  [META_CLIENT]: optional(isClient),
});
const isModernParams = shape({ _meta: isModernMeta });

/** Whether the headers name a revision of the older family, or none. */
function speaksLegacy({ version }: MirroredHeaders): boolean {
  return version === null || isLegacyRevision(version);
}

/** Whether the headers mirror a message of the newer family. @param name null if `Mcp-Name` must be absent */
function mirrors(headers: MirroredHeaders, method: string, name: string | null): boolean {
  return headers.version === MODERN_REVISION && headers.method === method && headers.name === name;
}

/**
 * The call, if it is plain and clearly valid in its family; undefined otherwise (`test/contract/mcp/differential.test.ts`
 * checks that both paths give the same answers).
 */
export function plainCall(message: unknown, headers: MirroredHeaders): PlainCall | undefined {
  if (!isCall(message)) return undefined;
  const { id, params } = message;
  const { name, arguments: given = {}, _meta: meta } = params;
  if (speaksLegacy(headers) && isLegacyMeta(meta)) return { family: "legacy", id, name, arguments: given };
  if (!isModernMeta(meta) || !mirrors(headers, "tools/call", name)) return undefined;
  return { family: "modern", id, name, arguments: given };
}

/** How long, and in which caches, rarely changing results may be kept. */
export const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/**
 * The answer to a message that is no call, if it is plain and clearly valid in its family; undefined otherwise, null for a
 * notification.
 */
export function plainHandshake(
  message: unknown,
  headers: MirroredHeaders,
  offer: Offer,
): object | null | undefined {
  if (isInitialized(message)) return speaksLegacy(headers) ? null : undefined;
  if (!isRequest(message)) return undefined;
  const { id, method, params } = message;
  const result = speaksLegacy(headers)
    ? legacyResult(method, params, offer)
    : modernResult(method, params, headers, offer);
  return result && { result, jsonrpc: "2.0", id };
}

function legacyResult(method: string, params: unknown, offer: Offer): object | undefined {
  if (method === "initialize" && isInitialize(params)) {
    const { protocolVersion } = params;
    const { instructions } = offer;
    return { protocolVersion, capabilities: capabilitiesOf(offer), serverInfo: IMPLEMENTATION, instructions };
  }
  if (!isNothing(params)) return undefined;
  if (method === "ping") return {};
  return method === "tools/list" ? { tools: offer.tools() } : undefined;
}

function modernResult(method: string, params: unknown, headers: MirroredHeaders, offer: Offer) {
  if (!isModernParams(params) || !mirrors(headers, method, null)) return undefined;
  const complete = (members: object) => ({
    ...members,
    resultType: "complete",
    ...CACHE_HINT,
    _meta: { [META_SERVER]: IMPLEMENTATION },
  });
  if (method === "tools/list") return complete({ tools: offer.tools() });
  if (method !== "server/discover") return undefined;
  const { instructions } = offer;
  const capabilities = capabilitiesOf(offer);
  return complete({ supportedVersions: [MODERN_REVISION], capabilities, instructions });
}

/** What a server announces that it can do. */
export function capabilitiesOf({ resources }: Pick<Offer, "resources">) {
  return { tools: {}, ...(resources === null ? {} : { resources: {} }) };
}
