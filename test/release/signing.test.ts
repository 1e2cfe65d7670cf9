import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "../../scripts/command-output.ts";
import { signSums } from "../../scripts/release/make.ts";
import { tempFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGE = readFileSync(join(ROOT, "docs/install.md"), "utf8");
const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** The lines that docs/install.md prints to check a download. */
function printedLines(): string[] {
  const [, block = ""] = /## Check what you downloaded[^]*?```sh\n([^]*?)```/.exec(PAGE) ?? [];
  return block.trim().split("\n");
}

const isMissing = Bun.which("minisign") === null;
if (isMissing) console.log("skipped: minisign is not installed: signing a release is not tried");

test.skipIf(isMissing)(
  "the printed lines accept a part of a signed release, and refuse a changed file, list or comment",
  async () => {
    const folder = tempFolder();
    await outputOf(["minisign", "-G", "-W", "-p", "key.pub", "-s", "key"], { cwd: folder });
    const list = ["a", "b"].map((name) => `${hash(name)}  ${name}\n`).join("");
    writeFileSync(join(folder, "SHA256SUMS"), list);
    writeFileSync(join(folder, "a"), "a");
    await signSums(folder, join(folder, "key"), "execcomp 9.9.9, commit abc");
    const [, key = ""] = readFileSync(join(folder, "key.pub"), "utf8").split("\n");
    const [minisign = "", sums = ""] = printedLines();
    const run = async (line: string) => {
      const { exitCode, stdout } = await Bun.$`sh -c ${line}`.cwd(folder).quiet().nothrow();
      return [exitCode, stdout.toString()];
    };
    const verify = minisign.replace(/-P \S+/, `-P ${key}`);
    const [code, said] = await run(verify);
    expect([code, String(said).includes("execcomp 9.9.9, commit abc")]).toEqual([0, true]);
    expect(await run(sums)).toEqual([0, "a: OK\n"]);

    writeFileSync(join(folder, "a"), "changed");
    expect((await run(sums))[0]).toBe(1);
    copyFileSync(join(folder, "SHA256SUMS.minisig"), join(folder, "kept"));
    const signature = readFileSync(join(folder, "kept"), "utf8");
    writeFileSync(join(folder, "SHA256SUMS.minisig"), signature.replace("9.9.9", "9.9.8"));
    expect((await run(verify))[0]).toBe(1);
    copyFileSync(join(folder, "kept"), join(folder, "SHA256SUMS.minisig"));
    writeFileSync(join(folder, "SHA256SUMS"), `${list}${hash("c")}  c\n`);
    expect((await run(verify))[0]).toBe(1);
  },
);

test("the line names the project's key", () => {
  const [, key = ""] = readFileSync(join(ROOT, "scripts/release/release-key.pub"), "utf8").split("\n");
  expect(printedLines()[0]).toBe(`minisign -V -P ${key} -m SHA256SUMS`);
});
