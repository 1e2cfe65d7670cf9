import { expect, test } from "bun:test";
import { join } from "node:path";
import { ParseCache } from "../../src/ingest/cache.ts";
import { tempFolder } from "../support/folder.ts";

test.each(["{", "", "not compressed"])("a damaged reading counts as missing: %p", async (damaged) => {
  const folder = tempFolder();
  const cache = new ParseCache(folder, "reader");
  const place = Bun.CryptoHasher.hash("sha256", `reader abc ${JSON.stringify({})}`, "hex");
  const file = join(folder, place.slice(0, 2), `${place}.json.zst`);
  await Bun.write(file, damaged === "not compressed" ? damaged : await Bun.zstdCompress(damaged));
  expect(await cache.get("abc", {})).toBeNull();
  await Bun.write(file, await Bun.zstdCompress('{"rows":[]}'));
  expect<unknown>(await cache.get("abc", {})).toEqual({ rows: [] });
});
