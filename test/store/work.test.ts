import { Glob } from "bun";
import { expect, test } from "bun:test";
import { join } from "node:path";

const SRC = join(import.meta.dir, "../../src");

/** A call in a transaction that is not awaited may end after it, and no type reveals it. */
async function callsNotAwaited(texts: ReadonlyMap<string, string>): Promise<string[]> {
  const all = [...texts.values()].join("\n");
  const named = /async (?:function )?(\w+)(?:<\w+>)?\(\s*(?:tx|db): StoreDb/g;
  const names = [...all.matchAll(named)].map(([, name]) => name);
  const alone = new RegExp(`^\\s+(?:(?:\\w+\\.)*(?:${names.join("|")})\\(|(?:tx|db)\\.).*;$`);
  return [...texts].flatMap(([file, text]) =>
    text
      .split("\n")
      .filter((line) => alone.test(line) && !/\): [^()]+;$/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

async function sources(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const folder of ["accounts", "store"]) {
    for await (const file of new Glob("**/*.ts").scan(join(SRC, folder))) {
      texts.set(`${folder}/${file}`, await Bun.file(join(SRC, folder, file)).text());
    }
  }
  return texts;
}

test("everything that works on the store is awaited", async () => {
  const texts = await sources();
  expect(await callsNotAwaited(texts)).toEqual([]);
  const users = texts.get("accounts/users.ts") ?? "";
  texts.set("accounts/users.ts", users.replace("await this.endAccess(tx, id);", "this.endAccess(tx, id);"));
  expect(await callsNotAwaited(texts)).toContain("accounts/users.ts: this.endAccess(tx, id);");
});
