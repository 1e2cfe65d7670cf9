import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

const CHILD = join(dirname(import.meta.dir), "support", "loaded-packages-child.ts");

test("a server answers without the libraries that would double its start: they are loaded by what needs them", async () => {
  const child = Bun.spawn([process.execPath, CHILD], { stdout: "pipe", stderr: "inherit" });
  const { statuses, packages } = JSON.parse(await new Response(child.stdout).text());
  expect(statuses).toEqual([200, 400, 200, 200, 200, 200, 200, 202, 200, 200]);
  expect(packages).toContain("elysia");
  for (const heavy of [
    "arktype",
    "@ark/schema",
    "@modelcontextprotocol/server",
    "zod",
    "@elysiajs/swagger",
    "htmlparser2",
    "hyparquet-writer",
    "write-excel-file",
    "@zxcvbn-ts/language-common",
  ]) {
    expect(packages).not.toContain(heavy);
  }
});
