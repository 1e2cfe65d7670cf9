import { Glob } from "bun";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { result, runAtOnce, type Work } from "../../src/store/work.ts";

const SRC = join(import.meta.dir, "../../src");

/** Work that is not run does nothing, and the types do not reveal it: a call without `yield*` is lost. */
async function callsThatDoNothing(texts: ReadonlyMap<string, string>): Promise<string[]> {
  const all = [...texts.values()].join("\n");
  const named = /function\* (\w+)\(|const (\w+) = function\*|^\s+(?:private )?\*(\w+)\(/gm;
  const names = new Set([...all.matchAll(named)].map(([, a, b, c]) => a ?? b ?? c ?? ""));
  const alone = new RegExp(`^\\s+(?:\\w+\\.)*(?:${[...names].join("|")})\\(.*(?:;|,|\\()$`);
  return [...texts].flatMap(([file, text]) =>
    text
      .split("\n")
      .filter((line) => alone.test(line) && !/\): (?:Work|Promise|MaybePromise)</.test(line))
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

test("no work on the store is created without being run", async () => {
  const texts = await sources();
  // The same name for something else: declarations, and the jobs of SQLite's commits.
  const others = /: (?:service\.connect\(|(?:create|open|page|find)\(|write\(\): void;|job\.write\(\);)/;
  expect((await callsThatDoNothing(texts)).filter((found) => !others.test(found))).toEqual([]);
  const users = texts.get("accounts/users.ts") ?? "";
  texts.set("accounts/users.ts", users.replace("yield* endAccess(tx, id);", "endAccess(tx, id);"));
  expect(await callsThatDoNothing(texts)).toContain("accounts/users.ts: endAccess(tx, id);");
});

function* sum(): Work<number> {
  const one = yield* result(Promise.resolve(1));
  try {
    yield* result(Promise.reject(new Error("no")));
  } catch {
    return one + 1;
  }
  return 0;
}

test("work that waits is refused where everything is synchronous", () => {
  expect(() => runAtOnce(sum())).toThrow("must not wait");
});
