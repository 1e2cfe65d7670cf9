import type { RedisClient } from "bun";
import { hashedId } from "../accounts/rate-limits/hashed-id.ts";
import { WINDOW_SECONDS } from "../accounts/rate-limits/limits.ts";
import type { Verdict, WindowService } from "../accounts/rate-limits/shared-rate-limits.ts";

const WINDOW_MICROS = WINDOW_SECONDS * 1_000_000;
/** Keys expire just after their newest request. */
const EXPIRY_MS = WINDOW_SECONDS * 1000 + 1;
const CONNECT_MS = 1000;
const MAX_WAIT_MS = 1000;
/** Round trips are pipelined: each turn's is sent immediately. */
const MAX_UNDER_WAY = 64;

/**
 * One sliding window per key: a list of request times in microseconds of the server's clock, oldest first, 11 bytes
 * each. If that clock was set back, the whole list is shifted so that its newest request counts as just made.
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

/**
 * Windows in Valkey or Redis: one atomic script per round trip, on the server's clock. Keys are hashes under one hash
 * tag, so that they contain no address or key id in clear.
 *
 * @param url valkey:, valkeys:, redis: or rediss: URL, with user, password and database as needed
 */
export function valkeyWindows(url: string, connectMs = CONNECT_MS): WindowService {
  let opened: { client: RedisClient; script: Promise<string> } | undefined;

  const open = () => {
    const client = new Bun.RedisClient(url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: connectMs,
    });
    const script = client.connect().then(async () => {
      // SCRIPT LOAD replies with the script's SHA-1.
      return (await client.send("SCRIPT", ["LOAD", SCRIPT])) as string;
    });
    return { client, script };
  };
  const close = () => {
    opened?.client.close();
    opened = undefined;
  };

  return {
    name: "valkey",
    maxUnderWay: MAX_UNDER_WAY,
    maxWaitMs: MAX_WAIT_MS,
    async acquire(requests) {
      opened ??= open();
      const { client, script } = opened;
      const keys = requests.map(({ id }) => `{execcomp:windows}:${hashedId(id)}`);
      const quotas = requests.map(({ quota }) => String(quota));
      const reply: unknown = await client.send("EVALSHA", [
        await script,
        String(keys.length),
        ...keys,
        ...quotas,
      ]);
      return readVerdicts(reply, requests.length);
    },
    async connect() {
      close();
      opened = open();
      await opened.script;
    },
    close,
  };
}

function readVerdicts(reply: unknown, count: number): readonly Verdict[] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : [];
  if (numbers.length !== count * 3 || numbers.some(Number.isNaN)) throw new Error("an unexpected reply");
  return Array.from({ length: count }, (_, at) => {
    const [granted = 0, used = 0, micros = 0] = numbers.slice(at * 3, at * 3 + 3);
    return { granted: granted === 1, used, untilOldestLeavesMs: micros / 1000 };
  });
}
