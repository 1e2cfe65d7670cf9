import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { createDeflate } from "../../scripts/release/archives.ts";
import { type Built, makeContents, type ReleaseFile } from "../../scripts/release/contents.ts";
import { debPackage } from "../../scripts/release/packages/deb.ts";
import { mcpBundle } from "../../scripts/release/packages/mcpb.ts";
import { npmMainPackage, npmPlatformPackage } from "../../scripts/release/packages/npm.ts";
import { wheel } from "../../scripts/release/packages/wheel.ts";
import { PLATFORMS, requirePlatform } from "../../scripts/release/platforms.ts";

const folder = mkdtempSync(join(tmpdir(), "execcomp-packages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = { version: "0.3.0", commit: "abc", date: new Date("2026-11-21T22:10:30Z"), isTagged: true };
const contents = await makeContents(SOURCE, "third-party notices");
const SCRIPT = "#!/bin/sh\necho made for a test\n";

/** As `makeRelease` passes it, with a script instead of an executable. */
function built(platform: string): Built {
  return {
    source: SOURCE,
    platform: requirePlatform(platform),
    contents,
    executable: new TextEncoder().encode(SCRIPT),
    deflate: createDeflate(),
    tools: [{ name: "a_tool", description: "It answers." }],
  };
}

function write({ name, bytes }: ReleaseFile): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

function ran(...command: string[]): string {
  const child = Bun.spawnSync(command, { cwd: folder });
  expect(child.stderr.toString()).toBe("");
  return child.stdout.toString();
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("not made");
  return value;
}

/** Skips, with a printed reason, if the tool is missing. */
function toolTest(tool: string, name: string, run: () => void | Promise<void>): void {
  const isThere = Bun.which(tool) !== null;
  if (!isThere) console.log(`skipped: ${tool} is not installed: ${name}`);
  test.skipIf(!isThere)(name, run);
}

toolTest("python3", "the wheel's module says what a call lacks: a keyword, a library", () => {
  mkdirSync(join(folder, "module"));
  write({ name: "module/execcomp.py", bytes: readFileSync("scripts/release/files/python/__init__.py") });
  const script = `import sys
sys.path.insert(0, "module")
import execcomp
for ask in (lambda: execcomp.query("AAPL"), lambda: execcomp.query(ticker="AAPL"), lambda: execcomp.sql("SELECT 1")):
    try:
        print("not refused", len(ask()))
    except (TypeError, execcomp.Error) as error:
        print(error)`;
  // Without site-packages.
  const [positional, ...without] = ran("python3", "-I", "-S", "-c", script).trim().split("\n");
  expect(positional).toContain("takes 0 positional arguments but 1 was given");
  expect(without).toEqual(Array.from({ length: 2 }, () => "pandas is missing: pip install pandas pyarrow"));
});

test("every package has the same bytes when it is made again", async () => {
  for (const make of [debPackage, wheel, npmPlatformPackage, mcpBundle]) {
    const first = await make(built("linux-x64"));
    expect(required(first)).toEqual(required(await make(built("linux-x64"))));
  }
});

toolTest(
  "dpkg-deb",
  "dpkg reads the Debian package: control fields, files with modes, scripts, conffile",
  async () => {
    const file = write(required(await debPackage(built("linux-arm64"))));
    expect(ran("dpkg-deb", "--field", file, "Package", "Version", "Architecture")).toBe(
      "Package: execcomp\nVersion: 0.3.0\nArchitecture: arm64\n",
    );
    const listed = ran("dpkg-deb", "--contents", file);
    expect(listed).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/execcomp$/m);
    expect(listed).toContain("./usr/lib/systemd/system/execcomp.service");
    expect(ran("dpkg-deb", "--info", file, "conffiles")).toBe("/etc/execcomp/execcomp.toml\n");
    mkdirSync(join(folder, "deb"));
    ran("dpkg-deb", "--extract", file, "deb");
    expect(ran("deb/usr/bin/execcomp")).toBe("made for a test\n");
  },
);

test("a wheel's RECORD has the hash and size of each of its files, and its tags are expanded", async () => {
  const made = await wheel(built("linux-x64"));
  expect(made.name).toBe("execcomp-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl");
  const files = unzipSync(made.bytes);
  const text = (path: string) => new TextDecoder().decode(files[path]);
  const record = text("execcomp-0.3.0.dist-info/RECORD").trim().split("\n");
  expect(record.map((line) => line.split(",")[0]).toSorted()).toEqual(Object.keys(files).toSorted());
  for (const line of record.filter((one) => !one.endsWith(",,"))) {
    const [path = "", hash, size] = line.split(",");
    const bytes = required(files[path]);
    expect({ path, hash, size }).toEqual({
      path,
      hash: `sha256=${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url")}`,
      size: String(bytes.length),
    });
  }
  expect(text("execcomp-0.3.0.dist-info/WHEEL")).toContain(
    "Tag: py3-none-manylinux_2_17_x86_64\nTag: py3-none-manylinux2014_x86_64\n",
  );
});

test("npm's main package lists every platform package at its own version, and each states its platform", async () => {
  const manifest = async (file: ReleaseFile): Promise<Record<string, unknown>> => {
    const entries = await unpackTar(Bun.gunzipSync(file.bytes));
    const found = entries.find(({ header }) => header.name === "package/package.json");
    return JSON.parse(new TextDecoder().decode(found?.data));
  };
  const names = Object.fromEntries(PLATFORMS.map(({ name }) => [`@execcomp/${name}`, "0.3.0"]));
  expect(await manifest(await npmMainPackage(SOURCE, contents))).toMatchObject({
    optionalDependencies: names,
  });
  expect(await manifest(await npmPlatformPackage(built("linux-arm64-musl")))).toMatchObject({
    name: "@execcomp/linux-arm64-musl",
    os: ["linux"],
    cpu: ["arm64"],
    libc: ["musl"],
  });
});

test("an MCP bundle starts its own executable and lists the tools; its form may stay empty", async () => {
  const files = unzipSync(required(await mcpBundle(built("windows-x64"))).bytes);
  const manifest: unknown = JSON.parse(new TextDecoder().decode(files["manifest.json"]));
  expect(manifest).toMatchObject({
    server: { type: "binary", entry_point: "server/execcomp.exe" },
    tools: [{ name: "a_tool", description: "It answers." }],
    user_config: { data_folder: { required: false, default: "" }, api_key: { sensitive: true, default: "" } },
    compatibility: { platforms: ["win32"] },
  });
  expect(files["server/execcomp.exe"]).toBeDefined();
  expect(await mcpBundle(built("linux-x64-musl"))).toBeUndefined();
});

toolTest("systemd-analyze", "the unit is exposed to no more than 2.5", () => {
  const unit = join(import.meta.dir, "../../scripts/release/files/system/execcomp.service");
  const child = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", "--threshold=25", unit]);
  expect(child.exitCode).toBe(0);
});
