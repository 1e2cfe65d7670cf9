/** The addresses that requests are counted under. */
import { OperatorError } from "../errors.ts";

/**
 * The address a request is counted under: the peer's or, behind trusted proxies, the last address in `X-Forwarded-For`
 * that is not a trusted proxy. IPv6 addresses count by /64, IPv4-mapped ones as IPv4.
 *
 * @param trusted whether an address is a configured proxy
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trusted: (address: string) => boolean,
): string {
  let address = plainAddress(peer);
  if (forwardedFor !== null && trusted(address)) {
    for (const hop of forwardedFor.split(",").reverse()) {
      const next = plainAddress(hop.trim());
      // Not an address, so not written by a proxy.
      if (next.length > MAX_ADDRESS || net().isIP(next) === 0) break;
      address = next;
      if (!trusted(address)) break;
    }
  }
  return networkOf(address);
}

/** `node:net`, loaded lazily: only proxy look-ups need it, startup does not (docs/decisions/executable.md). */
const net = () => process.getBuiltinModule("node:net");

/** The peer address of requests over a Unix socket; anyone who can open it is a trusted proxy. */
export const SOCKET_PEER = "unix";

/** Whether an address from `clientAddress` is this computer. */
export function isLoopbackClient(address: string): boolean {
  return address.startsWith("127.") || address === networkOf("::1");
}

const PLAIN_IPV4 = /^[\d.]+$/;

/** Longer text is not an address with a port and a zone. */
const MAX_ADDRESS = 100;

/** An address without port and zone, IPv6 compressed, and an IPv4 address as one however it is mapped into IPv6. */
function plainAddress(text: string): string {
  if (PLAIN_IPV4.test(text) || text.length > MAX_ADDRESS) return text;
  const address = text
    .replace(/^\[([^\]]*)\](:\d*)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d*$/, "$1")
    .replace(/%.*$/, "");
  const { isIPv6, SocketAddress } = net();
  // The parser reads more than addresses, so it is given nothing else.
  const compressed = isIPv6(address) ? SocketAddress.parse(`[${address}]`)?.address : undefined;
  return compressed?.replace(/^::ffff:(?=\d+\.)/, "") ?? address;
}

function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  const groups = [...front, ...gap, ...back].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/**
 * Returns a test for membership in a list of addresses and CIDR networks.
 * @throws OperatorError for an entry that is neither
 */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const { BlockList, isIP } = net();
  const list = new BlockList();
  for (const entry of entries) {
    const [given = "", length] = entry.split("/");
    const address = plainAddress(given);
    const isMapped = isIP(given) === 6 && isIP(address) === 4;
    const mostBits = isIP(address) === 6 ? 128 : 32;
    const bits =
      isMapped && length !== undefined ? String(Number(length) - 96) : (length ?? String(mostBits));
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > mostBits)
      throw new OperatorError(
        `Cannot read --trusted-proxies ${JSON.stringify(entry)}: expected an address or a network such as 10.0.0.0/8.`,
      );
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return (address) => {
    const family = address.length > MAX_ADDRESS ? 0 : isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}
