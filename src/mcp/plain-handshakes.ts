/**
 * Answers plain handshake messages without the protocol library, whose loading blocks the event loop for 20 ms and
 * which a session of plain messages never needs. As with plain calls, all other messages, valid or not, go to the
 * library, and a test checks that both give the same answers (docs/decisions/mcp-two-paths.md).
 */
import {
  clientIsPlain,
  envelopeIsPlain,
  hasOnly,
  isObject,
  LEGACY_REVISIONS,
  type MirroredHeaders,
  MODERN_REVISION,
  speaksLegacy,
} from "./classify.ts";
import type { Implementation } from "./result.ts";

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
      result(offered: Offered, info: Implementation): object;
    };

const MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const INITIALIZE: ReadonlySet<string> = new Set(["protocolVersion", "capabilities", "clientInfo"]);
const ROOTS: ReadonlySet<string> = new Set(["listChanged"]);
const LEGACY: ReadonlySet<unknown> = new Set(LEGACY_REVISIONS);

/** The parsed message, if it is clearly valid in its family; undefined otherwise, for the protocol library. */
export function plainHandshake(message: unknown, headers: MirroredHeaders): PlainHandshake | undefined {
  if (!isObject(message) || !hasOnly(message, MEMBERS) || message["jsonrpc"] !== "2.0") return undefined;
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

type MakeResult = (offered: Offered, info: Implementation) => object;

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
  if (!LEGACY.has(protocolVersion) || !isObject(clientInfo) || !clientIsPlain(clientInfo)) return undefined;
  if (!isObject(capabilities) || !hasOnly(capabilities, CAPABILITIES)) return undefined;
  const { roots = {}, sampling = {}, elicitation = {} } = capabilities;
  if (!isNothing(sampling) || !isNothing(elicitation)) return undefined;
  if (!isObject(roots) || !hasOnly(roots, ROOTS)) return undefined;
  const { listChanged = false } = roots;
  if (typeof listChanged !== "boolean") return undefined;
  return (offered, serverInfo) => ({
    protocolVersion,
    capabilities: capabilitiesOf(offered),
    serverInfo,
    instructions: offered.instructions,
  });
}

const CAPABILITIES: ReadonlySet<string> = new Set(["roots", "sampling", "elicitation"]);

function modernResult(method: string, params: unknown, headers: MirroredHeaders): MakeResult | undefined {
  if (!isObject(params) || !hasOnly(params, META) || !envelopeIsPlain(params["_meta"], headers, method, null))
    return undefined;
  const complete = (members: object, info: Implementation) => ({
    ...members,
    resultType: "complete",
    ...CACHE_HINT,
    _meta: { "io.modelcontextprotocol/serverInfo": info },
  });
  if (method === "tools/list") return ({ tools }, info) => complete({ tools: tools() }, info);
  if (method !== "server/discover") return undefined;
  return (offered, info) => {
    const capabilities = capabilitiesOf(offered);
    const { instructions } = offered;
    return complete({ supportedVersions: [MODERN_REVISION], capabilities, instructions }, info);
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
