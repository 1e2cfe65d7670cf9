/**
 * The files for containers, one server (scripts/release/files) or several (docs/examples/two-servers): everything that they name
 * exists.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json";
import { SETTING_NAMES, variableOf } from "../../src/config/settings.ts";

const FOLDER = join(import.meta.dir, "../../docs/examples/two-servers");
const KNOWN = SETTING_NAMES.map((name) => variableOf(name));
const textOf = (name: string) => readFileSync(join(FOLDER, name), "utf8");

for (const name of ["compose.yaml", "kubernetes.yaml"]) {
  test(`${name} is YAML, and uses only known settings`, () => {
    expect(Bun.YAML.parse(textOf(name))).toBeTruthy();
    const named = [...textOf(name).matchAll(/EXECCOMP_\w+/g)].map(([variable]) => variable);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((variable) => !KNOWN.includes(variable))).toEqual([]);
  });
}

test("nginx calls the replicas in the compose file, and the compose file trusts only nginx", () => {
  const replicas = [...textOf("compose.yaml").matchAll(/^ {2}(execcomp-\d):/gm)].map(([, name]) => name);
  const asked = [...textOf("nginx.conf").matchAll(/server (execcomp-\d):8402/g)].map(([, name]) => name);
  expect(replicas).toHaveLength(2);
  expect(asked).toEqual(replicas);
  const [, proxy] = /ipv4_address: (\S+) /.exec(textOf("compose.yaml")) ?? [];
  expect(textOf("compose.yaml")).toContain(`EXECCOMP_TRUSTED_PROXIES: ${proxy}\n`);
});

for (const folder of ["docs/examples/two-servers", "scripts/release/files"]) {
  for (const name of ["compose.yaml", "kubernetes.yaml"]) {
    test(`${folder}/${name} uses the image of this version`, () => {
      const text = readFileSync(join(import.meta.dir, "../..", folder, name), "utf8");
      const versions = [...text.matchAll(/image: \S*\bexeccomp:(\S+)/g)].map(([, version]) => version);
      expect(versions).toEqual([packageJson.version]);
    });
  }
}
