import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copySource, ROOT } from "../support/source-copy.ts";

test("a field added to the list does not compile until its value is provided", async () => {
  using copy = copySource("src/domain/row-fields.ts", (list) =>
    list.replace(
      "  ...AMOUNT_FIELDS,\n] as const;\n\n/** The fields of `source`",
      `  field("sector", "text", true, { about: "a", label: "c", example: "d" }),\n$&`,
    ),
  );
  const config = join(copy.folder, "tsconfig.json");
  writeFileSync(config, readFileSync(config, "utf8").replace(/"include": \[.*\]/, '"include": ["src"]'));
  const compiler = Bun.spawn([
    "bun",
    join(ROOT, "node_modules/typescript/bin/tsc"),
    "--noEmit",
    "-p",
    config,
  ]);
  const said = await new Response(compiler.stdout).text();
  expect(await compiler.exited).not.toBe(0);
  expect(said).toContain("src/dataset/row-json.ts");
  expect(said).toContain("'sector' is missing");
});
