import { describe, expect, test } from "bun:test";
import { addressMatcher, clientAddress } from "../../src/http/addresses.ts";

describe("an anonymous client is its address", () => {
  const proxy = addressMatcher(["10.0.0.0/8", "2001:db8::1"]);
  const nobody = addressMatcher([]);

  test.each<[string, string | null, (address: string) => boolean, string]>([
    ["203.0.113.9", null, nobody, "203.0.113.9"],
    ["203.0.113.9", "198.51.100.1", nobody, "203.0.113.9"],
    ["203.0.113.9", "198.51.100.1", proxy, "203.0.113.9"],
    ["10.0.0.1", "198.51.100.1", proxy, "198.51.100.1"],
    ["10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.7", proxy, "198.51.100.1"],
    ["::ffff:10.0.0.1", "198.51.100.1", proxy, "198.51.100.1"],
    ["2001:db8::1", "2001:db8:5:6:7:8:9:a", proxy, "2001:db8:5:6::/64"],
    ["2001:db8:5:6::1", null, nobody, "2001:db8:5:6::/64"],
    ["::1", null, nobody, "0:0:0:0::/64"],
    ["10.0.0.1", "198.51.100.1:4711", proxy, "198.51.100.1"],
    ["10.0.0.1", "[2001:db8:5:6::1]", proxy, "2001:db8:5:6::/64"],
    ["10.0.0.1", "[2001:db8:5:6::1]:4711", proxy, "2001:db8:5:6::/64"],
    ["10.0.0.1", "6.6.6.6, 198.51.100.1:80, 10.0.0.7:443", proxy, "198.51.100.1"],
    ["10.0.0.1", "[::ffff:198.51.100.1]:80", proxy, "198.51.100.1"],
    // Every way to write an IPv4 address as an IPv6 one, from a proxy and on a socket: one client, not all of ::/64.
    ...[
      "::ffff:c633:6401",
      "::FFFF:C633:6401",
      "[::ffff:c633:6401]:443",
      "0:0:0:0:0:ffff:c633:6401",
      "0:0:0:0:0:ffff:198.51.100.1",
      "0000:0000:0000:0000:0000:ffff:c633:6401",
      "[0000:0000:0000:0000:0000:FFFF:198.51.100.1]",
      "::0:ffff:198.51.100.1",
      "::ffff:198.51.100.1%eth0",
    ].flatMap((form): [string, string | null, (address: string) => boolean, string][] => [
      ["10.0.0.1", `6.6.6.6, ${form}, 10.0.0.7`, proxy, "198.51.100.1"],
      ["::ffff:a00:1", form, proxy, "198.51.100.1"],
      [form, null, nobody, "198.51.100.1"],
    ]),
    ["10.0.0.1", "2001:0DB8:0005:0006:0007::", proxy, "2001:db8:5:6::/64"],
    // The library reads these too; no proxy writes them.
    ["10.0.0.1", "010.1.1.1", proxy, "10.0.0.1"],
    ["10.0.0.1", "user@198.51.100.1", proxy, "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1/8", proxy, "10.0.0.1"],
    ["10.0.0.1", "[::1]x", proxy, "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1", addressMatcher(["::ffff:10.0.0.0/104"]), "198.51.100.1"],
    // Not an address: otherwise a caller could become a new client with every value, of any length.
    ["10.0.0.1", "z".repeat(9000), proxy, "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1, unknown, 10.0.0.7", proxy, "10.0.0.7"],
  ])("%p forwarded for %p", (peer, forwarded, trusted, counted) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(counted);
  });

  test("a proxy that is neither an address nor a network stops the start", () => {
    for (const entry of ["proxy.local", "10.0.0.0/99", "10.0.0.0/x", "::1/129", "::ffff:10.0.0.0/95", "/8"])
      expect(() => addressMatcher([entry])).toThrow(`Cannot read --trusted-proxies "${entry}": expected`);
  });
});
