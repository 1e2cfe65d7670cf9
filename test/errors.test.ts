import { expect, test } from "bun:test";
import { messageOf, whatToCheck } from "../src/errors.ts";

test("a failed handshake is told in words, with what would help", () => {
  const openssl = "error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER";
  expect(messageOf(new Error(openssl))).toBe("no TLS is spoken on this port");
  for (const text of ["self signed certificate", "unable to verify the first certificate"])
    expect(messageOf(new Error(text))).toContain("NODE_EXTRA_CA_CERTS");
});

test("what to check follows from the refusal: the user, or the address", () => {
  const refused = (found: object) => Object.assign(new Error("no"), found);
  const told = (error: Error) => whatToCheck(error, "--store", "the database");
  for (const error of [refused({ code: "EAUTH" }), refused({ errno: "28P01" }), new Error("WRONGPASS x")])
    expect(told(error)).toBe("Check the user and the password in --store.");
  for (const error of [refused({ code: "ECONNREFUSED", errno: -111 }), refused({ errno: "3D000" })])
    expect(told(error)).toBe("Check the address of --store, and that the database runs.");
});
