import { expect, test } from "bun:test";
import { ENTRIES } from "../../scripts/build.ts";
import { bundledPackages } from "../../scripts/release/bundled.ts";
import { thirdPartyNotices } from "../../scripts/release/notices.ts";
import { cycloneDx } from "../../scripts/release/sbom.ts";

const DATE = new Date("2026-11-21T22:10:30Z");

test("notices and bill of materials list what the bundler included, and no tool that only builds or tests", async () => {
  const packages = await bundledPackages(ENTRIES);
  const names = packages.filter((one) => one.within === null).map((one) => one.name);
  expect(names).toContain("elysia");
  expect(names).toContain("@scalar/api-reference");
  for (const tool of ["oxlint", "playwright-core", "drizzle-kit", "modern-tar"])
    expect(names).not.toContain(tool);
  const notices = thirdPartyNotices(packages);
  for (const { name, version, licence } of packages)
    expect(notices).toContain(`\n${name} ${version}: ${licence}\n`);
  expect(notices).toContain("JavaScriptCore");
  // The font for pictures and its renderer: a licence file with another name, and precompiled code.
  expect(notices).toContain("SIL OPEN FONT LICENSE Version 1.1");
  expect(notices).toContain("tiny-skia 0.10.0");
  const dataset = { edition: "2026-11-21", contentHash: "ab".repeat(32) };
  const sbom: unknown = JSON.parse(cycloneDx(packages, { version: "1.2.3", date: DATE, dataset }));
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { timestamp: DATE.toISOString() },
  });
  expect(JSON.stringify(sbom)).toContain(`"pkg:npm/bun@${Bun.version}"`);
});
