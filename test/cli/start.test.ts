import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = dirname(dirname(import.meta.dir));
const CHILD = join(dirname(import.meta.dir), "support", "loaded-packages-child.ts");

test("a server answers without the libraries that would double its startup: they are loaded on first use", async () => {
  const child = Bun.spawn([process.execPath, CHILD], { stdout: "pipe", stderr: "inherit" });
  const { statuses, packages } = JSON.parse(await new Response(child.stdout).text());
  expect(statuses).toEqual([200, 400, 200, 200, 200, 200]);
  expect(packages).toContain("elysia");
  expect(packages).toContain("arktype");
  for (const heavy of [
    "@modelcontextprotocol/server",
    "zod",
    "@elysiajs/swagger",
    "htmlparser2",
    "hyparquet-writer",
    "write-excel-file",
    "@zxcvbn-ts/language-common",
    "arktype/out/keywords",
  ]) {
    expect(packages).not.toContain(heavy);
  }
});

test("a start evaluates no router, no page and none of the built-in modules that take a third of it", () => {
  const { files, packages } = loadedWith(["src/main.ts", "src/cli/server/serve.ts"]);
  expect(packages.toSorted()).toEqual([
    "bun:sqlite",
    "drizzle-orm",
    "drizzle-orm/bun-sqlite",
    "drizzle-orm/sqlite-core",
    "drizzle-orm/sqlite-proxy",
    "node:fs",
    "node:os",
    "node:path",
    "node:util",
    "quickselect",
  ]);
  expect(files).toContain("src/server/app.ts");
  const surfaces = files.filter((file) =>
    /^src\/(server\/router\.ts$|web\/|oauth\/|charts\/(?!rasterizer))/.test(file),
  );
  expect(surfaces).toEqual([]);
});

/** What importing some files of `src` evaluates: all their imports except types, transitively. */
function loadedWith(entries: readonly string[]): { files: string[]; packages: string[] } {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    if (!file.endsWith(".ts")) continue;
    for (const { kind, path } of transpiler.scanImports(readFileSync(join(ROOT, file), "utf8"))) {
      if (kind !== "import-statement") continue;
      if (path.startsWith(".")) waiting.push(join(dirname(file), path));
      else packages.add(path);
    }
  }
  return { files: [...files], packages: [...packages] };
}
