import type { BlockList } from "node:net";

/** Addresses outside the public internet. @see RFC 6890 and the IANA special-purpose address registries */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Reserved ranges within 2000::/3, the only allocated part of IPv6; everything outside that is refused. */
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

/** Returns a test for public addresses: not loopback, private, link-local, mapped, translated or reserved. */
export function publicAddressTest(): (address: string) => boolean {
  const { isIP } = net();
  const special = listOf(SPECIAL_IPV4, "ipv4");
  const reserved = listOf(SPECIAL_IPV6, "ipv6");
  const global = listOf(["2000::/3"], "ipv6");
  return (address) => {
    if (isIP(address) === 4) return !special.check(address, "ipv4");
    return isIP(address) === 6 && global.check(address, "ipv6") && !reserved.check(address, "ipv6");
  };
}

/** Loaded on first use (docs/decisions/executable.md). */
const net = () => process.getBuiltinModule("node:net");

function listOf(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new (net().BlockList)();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
