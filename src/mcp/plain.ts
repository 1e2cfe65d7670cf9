/**
 * Classifies a POST to the MCP endpoint before the protocol library sees it, and answers plain handshakes without the
 * library, whose loading blocks the event loop for 20 ms and which a session of plain messages never needs. All other
 * messages, valid or not, go to the library, and a test checks that both give the same answers. Pure functions of a
 * parsed body and three headers.
 * @see docs/protocols.md, 2.2, and docs/decisions/mcp-two-paths.md
 */
import { IMPLEMENTATION } from "./tools.ts";

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
  arguments: Readonly<Record<string, unknown>>;
}

/** Headers that repeat values of the body, in the newer family. */
export interface MirroredHeaders {
  version: string | null;
  method: string | null;
  name: string | null;
}

const META_VERSION = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
/** Member of `_meta` with this server's name and version. */
export const META_SERVER = "io.modelcontextprotocol/serverInfo";
const META_CLIENT = "io.modelcontextprotocol/clientInfo";

type Members = Readonly<Record<string, unknown>>;

/** The mirrored headers of a request. */
export function mirroredHeaders(headers: Headers): MirroredHeaders {
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
  const params = isObject(message) ? message["params"] : undefined;
  const meta = isObject(params) ? params["_meta"] : undefined;
  const client = isObject(meta) ? meta[META_CLIENT] : undefined;
  const name = isObject(client) ? client["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The revision in the message, else in the header, else the oldest supported. */
export function revisionOf(message: unknown, { version }: MirroredHeaders): string {
  const params = isObject(message) ? message["params"] : undefined;
  const meta = isObject(params) ? params["_meta"] : undefined;
  const said = isObject(meta) ? meta[META_VERSION] : undefined;
  return typeof said === "string" ? said : (version ?? "2025-03-26");
}

/**
 * The call, if it is plain and clearly valid in its family; undefined otherwise, so that the protocol library answers
 * unusual and invalid messages. Deliberately stricter than the protocol (`test/contract/mcp/differential.test.ts`
 * checks that both give the same answers).
 */
export function plainCall(message: unknown, headers: MirroredHeaders): PlainCall | undefined {
  if (!isObject(message) || !hasOnly(message, MESSAGE_MEMBERS)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "tools/call") return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  if (!isObject(params) || !hasOnly(params, PARAMS_MEMBERS)) return undefined;
  const { name, arguments: given = {}, _meta: meta } = params;
  if (typeof name !== "string" || !isObject(given)) return undefined;
  const family = familyOf(meta, headers, name);
  // `id` is a string or, as tested above, a safe integer.
  return family === undefined ? undefined : { family, id: id as string | number, name, arguments: given };
}

const MESSAGE_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS_MEMBERS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
const LEGACY_META: ReadonlySet<string> = new Set(["progressToken"]);
const MODERN_META: ReadonlySet<string> = new Set([
  "progressToken",
  META_VERSION,
  META_CAPABILITIES,
  META_CLIENT,
]);
const CLIENT_MEMBERS: ReadonlySet<string> = new Set(["name", "version", "title"]);
const CAPABILITIES: ReadonlySet<string> = new Set(["elicitation", "sampling", "roots"]);
const LEGACY: ReadonlySet<unknown> = new Set(LEGACY_REVISIONS);

function familyOf(meta: unknown, headers: MirroredHeaders, name: string): ProtocolFamily | undefined {
  if (meta === undefined) return speaksLegacy(headers) ? "legacy" : undefined;
  if (!isObject(meta) || !plainProgressToken(meta["progressToken"])) return undefined;
  if (meta[META_VERSION] === undefined) {
    return hasOnly(meta, LEGACY_META) && speaksLegacy(headers) ? "legacy" : undefined;
  }
  return envelopeIsPlain(meta, headers, "tools/call", name) ? "modern" : undefined;
}

/**
 * Whether the envelope of a message of the newer family is plain, and the headers mirror it.
 * @param name expected `Mcp-Name`; null if it must be absent
 */
function envelopeIsPlain(
  meta: unknown,
  headers: MirroredHeaders,
  method: string,
  name: string | null,
): boolean {
  return (
    isObject(meta) &&
    plainProgressToken(meta["progressToken"]) &&
    meta[META_VERSION] === MODERN_REVISION &&
    headers.version === MODERN_REVISION &&
    headers.method === method &&
    headers.name === name &&
    hasOnly(meta, MODERN_META) &&
    plainCapabilities(meta[META_CAPABILITIES]) &&
    clientIsPlain(meta[META_CLIENT])
  );
}

/** Whether the headers name a revision of the older family, or none. */
function speaksLegacy({ version }: MirroredHeaders): boolean {
  return version === null || LEGACY.has(version);
}

function plainProgressToken(token: unknown): boolean {
  return token === undefined || typeof token === "string" || Number.isSafeInteger(token);
}

function plainCapabilities(capabilities: unknown): boolean {
  return (
    isObject(capabilities) &&
    hasOnly(capabilities, CAPABILITIES) &&
    Object.values(capabilities).every((one) => isObject(one) && Object.values(one).every(isNothing))
  );
}

/** Whether the client info is plain, or absent. */
function clientIsPlain(client: unknown): boolean {
  if (client === undefined) return true;
  if (!isObject(client) || !hasOnly(client, CLIENT_MEMBERS)) return false;
  const { name, version, title } = client;
  return (
    typeof name === "string" &&
    typeof version === "string" &&
    (title === undefined || typeof title === "string")
  );
}

/** Whether a JSON value is an object. */
function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object has only known members. */
function hasOnly(value: Members, known: ReadonlySet<string>): boolean {
  for (const name in value) if (!known.has(name)) return false;
  return true;
}

/** What a server offers, as announced before a call. */
export interface Offered {
  tools(): readonly object[];
  instructions: string;
  /** Null without resources. */
  resources: object | null;
}

/** How long, and in which caches, rarely changing results may be kept. */
export const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** A message that can be answered here. */
export type PlainHandshake =
  | { kind: "notification" }
  | {
      kind: "request";
      id: string | number;
      /** Creates the `result` member of the answer. */
      result(offered: Offered): object;
    };

const INITIALIZE: ReadonlySet<string> = new Set(["protocolVersion", "capabilities", "clientInfo"]);
const ROOTS: ReadonlySet<string> = new Set(["listChanged"]);

/** The parsed message, if it is clearly valid in its family; undefined otherwise, for the protocol library. */
export function plainHandshake(message: unknown, headers: MirroredHeaders): PlainHandshake | undefined {
  if (!isObject(message) || !hasOnly(message, MESSAGE_MEMBERS) || message["jsonrpc"] !== "2.0")
    return undefined;
  const { id, method, params } = message;
  if (typeof method !== "string") return undefined;
  if (method === "notifications/initialized")
    return id === undefined && isNothing(params) && speaksLegacy(headers)
      ? { kind: "notification" }
      : undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  const result = speaksLegacy(headers) ? legacyResult(method, params) : modernResult(method, params, headers);
  // `id` is a string or, as tested above, a safe integer.
  return result === undefined ? undefined : { kind: "request", id: id as string | number, result };
}

type MakeResult = (offered: Offered) => object;

function legacyResult(method: string, params: unknown): MakeResult | undefined {
  if (method === "initialize") return initialized(params);
  if (!isNothing(params)) return undefined;
  if (method === "ping") return () => ({});
  if (method === "tools/list") return ({ tools }) => ({ tools: tools() });
  return undefined;
}

function initialized(params: unknown): MakeResult | undefined {
  if (!isObject(params) || !hasOnly(params, INITIALIZE)) return undefined;
  const { protocolVersion, capabilities, clientInfo } = params;
  if (!LEGACY.has(protocolVersion) || clientInfo === undefined || !clientIsPlain(clientInfo))
    return undefined;
  if (!isObject(capabilities) || !hasOnly(capabilities, CAPABILITIES)) return undefined;
  const { roots = {}, sampling = {}, elicitation = {} } = capabilities;
  if (!isNothing(sampling) || !isNothing(elicitation)) return undefined;
  if (!isObject(roots) || !hasOnly(roots, ROOTS)) return undefined;
  const { listChanged = false } = roots;
  if (typeof listChanged !== "boolean") return undefined;
  return (offered) => ({
    protocolVersion,
    capabilities: capabilitiesOf(offered),
    serverInfo: IMPLEMENTATION,
    instructions: offered.instructions,
  });
}

function modernResult(method: string, params: unknown, headers: MirroredHeaders): MakeResult | undefined {
  if (!isObject(params) || !hasOnly(params, META) || !envelopeIsPlain(params["_meta"], headers, method, null))
    return undefined;
  const complete = (members: object) => ({
    ...members,
    resultType: "complete",
    ...CACHE_HINT,
    _meta: { [META_SERVER]: IMPLEMENTATION },
  });
  if (method === "tools/list") return ({ tools }) => complete({ tools: tools() });
  if (method !== "server/discover") return undefined;
  return (offered) => {
    const capabilities = capabilitiesOf(offered);
    const { instructions } = offered;
    return complete({ supportedVersions: [MODERN_REVISION], capabilities, instructions });
  };
}

const META: ReadonlySet<string> = new Set(["_meta"]);

function capabilitiesOf({ resources }: Offered): object {
  return { tools: {}, ...(resources === null ? {} : { resources: {} }) };
}

/** Whether a value is absent or an empty object. */
function isNothing(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.keys(value).length === 0);
}
