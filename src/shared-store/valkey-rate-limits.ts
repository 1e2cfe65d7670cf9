import type { RedisClient } from "bun";
import { hashedId, WINDOW_SECONDS, type WindowSpec } from "../accounts/rate-limits/limits.ts";
import type { CountResult, WindowService } from "../accounts/rate-limits/shared-rate-limits.ts";

const WINDOW_MICROS = WINDOW_SECONDS * 1_000_000;
/** Keys expire just after their newest request. */
const EXPIRY_MS = WINDOW_SECONDS * 1000 + 1;
const CONNECT_MS = 1000;
const MAX_WAIT_MS = 1000;
/** Round trips are pipelined: each turn's is sent immediately. */
const MAX_UNDER_WAY = 64;

/**
 * One sliding window per key: a list of request times in microseconds of the server's clock, oldest first, 11 bytes
 * each. If that clock was set back, the whole list is shifted so that its newest request counts as current.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local out = {}
for i, key in ipairs(KEYS) do
  local used = redis.call('LLEN', key)
  local oldest = now
  if used > 0 then
    local ahead = tonumber(redis.call('LINDEX', key, -1)) - now
    if ahead > 0 then
      local times = redis.call('LRANGE', key, 0, -1)
      redis.call('DEL', key)
      for _, at in ipairs(times) do redis.call('RPUSH', key, string.format('%.0f', at - ahead)) end
      redis.call('PEXPIRE', key, ${EXPIRY_MS})
    end
    oldest = tonumber(redis.call('LINDEX', key, 0))
    while used > 0 and oldest <= now - ${WINDOW_MICROS} do
      redis.call('LPOP', key)
      used = used - 1
      oldest = used > 0 and tonumber(redis.call('LINDEX', key, 0)) or now
    end
  end
  local granted = used < tonumber(ARGV[i])
  if granted then
    redis.call('RPUSH', key, string.format('%.0f', now))
    redis.call('PEXPIRE', key, ${EXPIRY_MS})
    used = used + 1
  end
  out[#out + 1] = granted and 1 or 0
  out[#out + 1] = used
  out[#out + 1] = oldest + ${WINDOW_MICROS} - now
end
return out`;

/** Hash slots of a cluster. @see https://valkey.io/topics/cluster-spec */
const SLOTS = 16_384;

/** Where keys are. */
interface Placement {
  slotOf(key: string): number;
  /** The server of each slot. */
  owners: readonly Node[];
}

/** The slot of a hash tag: CRC-16/XMODEM of its bytes. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (let at = 0; at < tag.length; at += 1) {
    crc ^= tag.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  }
  return crc & (SLOTS - 1);
}

/** A server on which the script is loaded. */
interface Node {
  client: RedisClient;
  /** The script's SHA-1. */
  script: string;
}

/** Finds the servers: one, or all of the cluster that it belongs to. */
async function placementOf(url: string, connectTo: (url: string) => Promise<Node>): Promise<Placement> {
  const first = await connectTo(url);
  // Refused where there is no cluster.
  const ranges = readRanges(await first.client.send("CLUSTER", ["SLOTS"]).catch(() => null));
  if (ranges.length === 0) return { slotOf: () => 0, owners: [first] };
  const nodes = new Map<string, Promise<Node>>();
  const owners = Array<Node>(SLOTS);
  for (const { from, to, host, port } of ranges) {
    const address = new URL(url);
    address.port = String(port);
    // Without a name, it is the host that was asked.
    if (host !== "") address.hostname = host;
    const node = nodes.get(address.host) ?? connectTo(address.href);
    nodes.set(address.host, node);
    owners.fill(await node, from, to + 1);
  }
  return { slotOf, owners };
}

/** Counts requests by one script call for each slot. */
async function countIn(
  { slotOf: placeOf, owners }: Placement,
  requests: readonly Pick<WindowSpec, "id" | "quota">[],
): Promise<readonly CountResult[]> {
  const counts = requests.map(({ id, quota }, at) => ({ key: hashedId(id), quota: String(quota), at }));
  const results = Array<CountResult>(requests.length);
  const count = async ([slot, group]: readonly [number, typeof counts]) => {
    const owner = owners[slot];
    if (owner === undefined) throw new Error(`no server of the cluster has slot ${slot}`);
    const keys = group.map(({ key }) => `execcomp:windows:{${key}}`);
    const values = [...keys, ...group.map(({ quota }) => quota)];
    const reply: unknown = await owner.client.send("EVALSHA", [owner.script, String(keys.length), ...values]);
    const found = readResults(reply, group.length);
    for (const [nth, { at }] of group.entries()) if (found[nth]) results[at] = found[nth];
  };
  await Promise.all([...Map.groupBy(counts, ({ key }) => placeOf(key))].map(count));
  return results;
}

/**
 * Windows in Valkey or Redis: one atomic script per round trip, on the server's clock; in a cluster one for each slot, on
 * the server that has it. Keys are hashes, so that they contain no address or key id in clear, and each is its own hash
 * tag: the callers of a cluster are spread over all its servers.
 *
 * @param url valkey:, valkeys:, redis: or rediss: URL, with user, password and database as needed
 */
export function valkeyRateLimits(url: string, connectMs = CONNECT_MS): WindowService {
  let opened: Promise<Placement> | undefined;
  const clients = new Set<RedisClient>();

  const connectTo = async (address: string): Promise<Node> => {
    const client = new Bun.RedisClient(address, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: connectMs,
    });
    clients.add(client);
    await client.connect();
    // SCRIPT LOAD replies with the script's SHA-1.
    return { client, script: (await client.send("SCRIPT", ["LOAD", SCRIPT])) as string };
  };
  const close = () => {
    for (const client of clients) client.close();
    clients.clear();
    opened = undefined;
  };

  return {
    name: "valkey",
    maxUnderWay: MAX_UNDER_WAY,
    maxWaitMs: MAX_WAIT_MS,
    async acquire(requests) {
      opened ??= placementOf(url, connectTo);
      return countIn(await opened, requests);
    },
    async connect() {
      close();
      opened = placementOf(url, connectTo);
      await opened;
    },
    close,
  };
}

/** Reads the reply of CLUSTER SLOTS: ranges of slots with their primary first. */
function readRanges(reply: unknown): { from: number; to: number; host: string; port: number }[] {
  if (!Array.isArray(reply)) return [];
  // As the command's documentation describes it.
  const ranges = reply as [number, number, [string | null, number]][];
  return ranges.map(([from, to, [host, port]]) => ({ from, to, host: host ?? "", port }));
}

function readResults(reply: unknown, count: number): readonly CountResult[] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : [];
  if (numbers.length !== count * 3 || numbers.some(Number.isNaN)) throw new Error("an unexpected reply");
  return Array.from({ length: count }, (_, at) => {
    const [granted = 0, used = 0, micros = 0] = numbers.slice(at * 3, at * 3 + 3);
    return { granted: granted === 1, used, untilOldestLeavesMs: micros / 1000 };
  });
}
