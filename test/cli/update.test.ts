import { afterAll, expect, test } from "bun:test";
import packageJson from "../../package.json";
import { realRuntime } from "../../src/runtime.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const environment = { EXECCOMP_DATA_DIR: tempFolder() };
let offered: unknown = {};
const server = Bun.serve({
  port: 0,
  fetch: ({ url }) =>
    new URL(url).pathname === "/latest.json"
      ? new Response(typeof offered === "string" ? offered : JSON.stringify(offered))
      : new Response("", { status: 404 }),
});
afterAll(() => server.stop(true));

const check = (...words: string[]) =>
  cli("update", "--check", "--update-url", `${server.url.origin}/latest.json`, ...words, {
    environment,
    runtime: realRuntime(),
  });
const [major = 0, minor = 0, patch = 0] = packageJson.version.split(".").map(Number);

test("a newer program and a newer dataset are reported separately", async () => {
  offered = { version: `${major}.${minor + 10}.0`, edition: "2999-01-01", more: "ignored" };
  const { out, code } = await check();
  expect(code).toBe(0);
  expect(out).toContain(`program  ${major}.${minor + 10}.0 is available, ${packageJson.version} is in use`);
  expect(out).toContain("dataset  2999-01-01 is available");
  offered = { version: packageJson.version, edition: "2999-01-01" };
  expect((await check("--json")).json()).toMatchObject({
    program: { newer: false },
    dataset: { newer: true },
  });
});

test("the same version or an older one means up to date; numbers are compared as numbers", async () => {
  for (const version of [packageJson.version, "0.0.9"]) {
    offered = { version, edition: "2000-01-01" };
    expect((await check()).out).toMatch(/^program {2}\S+ is up to date\ndataset {2}\S+ is up to date\n$/);
  }
  offered = { version: `${major}.${minor}.${patch + 10}`, edition: "2000-01-01" };
  expect((await check("--json")).json()).toMatchObject({ program: { newer: true } });
});

test("an invalid latest.json, no answer, no address and --offline are reported", async () => {
  for (const wrong of ["<html>", { version: "new", edition: "2026-01-01" }, { version: "1.0.0" }]) {
    offered = wrong;
    const ran = await check();
    expect([ran.code, ran.out]).toEqual([1, ""]);
    expect(ran.err).toContain("is not a release's latest.json");
  }
  const other = await cli("update", "--check", "--update-url", `${server.url.origin}/x`, {
    environment,
    runtime: realRuntime(),
  });
  expect(other.err).toContain("it answered 404");
  expect((await cli("update", "--check", { environment })).err).toContain("--update-url");
  expect((await check("--offline")).err).toContain("--offline is set");
  expect((await cli("update", { environment })).code).toBe(2);
});
