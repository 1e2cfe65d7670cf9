import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flagOf, SETTING_NAMES } from "../../src/config/settings.ts";
import { CLIENT, startProvider } from "../support/oidc.ts";
import { startTestServer } from "../support/server.ts";
import { cli } from "../support/cli.ts";
import { testRuntime } from "../support/runtime.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const openssl = Bun.which("openssl");
if (openssl === null) console.log("skipped: openssl is not installed, no certificate can be made");

/** A certificate for a name, and its key. */
function certificate(name: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const words = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
  ];
  const made = Bun.spawnSync([openssl ?? "", ...words, "-subj", `/CN=${name}`, "-out", cert, "-keyout", key]);
  expect(made.exitCode).toBe(0);
  return { cert, key };
}

/** The common name of the certificate that a server presents. */
async function shownName(port: number): Promise<string> {
  const shown = Bun.spawn([openssl ?? "", "s_client", "-connect", `127.0.0.1:${port}`], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  return /subject=.*CN ?= ?(\S+)/.exec(await new Response(shown.stdout).text())?.[1] ?? "";
}

describe.skipIf(openssl === null)("https without a proxy", () => {
  test("a server answers over https, links to it, and loads a new certificate; a bad one changes nothing", async () => {
    const [first, second] = [certificate("first"), certificate("second")];
    const [tlsCert, tlsKey] = [join(folder, "now.pem"), join(folder, "now.key")];
    const use = ({ cert, key }: { cert: string; key: string }) => {
      copyFileSync(cert, tlsCert);
      copyFileSync(key, tlsKey);
    };
    use(first);
    const server = await startTestServer({ tlsCert, tlsKey });
    expect(server.origin).toBe(`https://localhost:${server.port}`);
    const ask = () => fetch(`${server.origin}/t/AAPL/facts`, { tls: { rejectUnauthorized: false } });
    expect((await ask()).status).toBe(200);
    for (const path of ["/livez", "/coverage", "/api/openapi.json"])
      expect((await fetch(server.origin + path, { tls: { rejectUnauthorized: false } })).status).toBe(200);
    expect(await shownName(server.port)).toBe("first");
    use(second);
    await server.renewCertificate();
    expect(await shownName(server.port)).toBe("second");
    use({ cert: first.cert, key: second.key });
    await expect(server.renewCertificate()).rejects.toThrow("does not belong to the certificate");
    expect(await shownName(server.port)).toBe("second");
    expect((await ask()).status).toBe(200);
    await server.stop();
  });

  test("serve --check reports a mismatched key, a missing half and a missing file", async () => {
    const [first, second] = [certificate("third"), certificate("fourth")];
    const check = (...flags: string[]) =>
      cli("serve", "--check", ...flags, { environment: { EXECCOMP_DATA_DIR: join(folder, "check") } });
    const pair = ["--tls-cert", first.cert, "--tls-key"];
    expect((await check(...pair, first.key)).out).toContain("ok: would serve https://localhost:8402");
    expect((await check(...pair, second.key)).err).toContain("does not belong to the certificate");
    expect((await check("--tls-cert", first.cert)).err).toContain("belong together");
    expect((await check(...pair, join(folder, "none"))).err).toContain("Cannot read --tls-key");
    expect((await check(...pair, first.cert)).code).toBe(1);
    const socket = ["--socket", join(folder, "s"), "--public-url", "https://pay.example.com"];
    expect((await check(...pair, first.key, ...socket)).err).toContain("--socket is for a proxy");
  });
});

describe("serve --check", () => {
  const environment = { EXECCOMP_DATA_DIR: join(folder, "data") };

  test("says what would be served and creates nothing", async () => {
    const ran = await cli("serve", "--check", "--json", { environment });
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(ran.json()).toMatchObject({ url: "http://localhost:8402", dataset: "embedded" });
    expect(existsSync(join(folder, "data", "store.sqlite"))).toBe(false);
  });

  test("refuses whatever a start would refuse", async () => {
    const refused = async (...flags: string[]) => {
      const ran = await cli("serve", "--check", ...flags, { environment });
      expect([ran.code, ran.out]).toEqual([1, ""]);
      return ran.err;
    };
    expect(await refused("--host", "0.0.0.0")).toContain("--public-url");
    expect(await refused("--metrics-listen", "here")).toContain("--metrics-listen");
    for (const [port, ...host] of [
      ["9464"],
      ["127.0.0.1:9464"],
      ["9464", "--host", "::", "--public-url", "https://x.example"],
    ])
      expect(await refused("--port", "9464", "--metrics-listen", port ?? "", ...host)).toContain(
        "are both 9464",
      );
    expect(await refused("--require-store")).toContain("--require-store");
    expect(await refused("--sign-up", "open", "--trusted-proxies", "10.0.0.1")).toContain("Sign-up is open");
    expect(await refused("--sso-issuer", "https://id.example.com")).toContain("--sso-client-id");
    expect(await refused("--smtp-url", "smtp://localhost:25")).toContain("--mail-from");
    expect(await refused("--trusted-proxies", "proxy.local")).toContain("--trusted-proxies");
    for (const flags of [
      ["--sso-client-id", "x"],
      ["--sso-domains", "example.com"],
    ])
      expect(await refused(...flags)).toContain("--sso-issuer");
    expect(await refused("--owner-email", "ann@example.com")).toContain("--owner-password");
    const short = ["--owner-email", "ann@example.com", "--owner-password", "short"];
    expect(await refused(...short)).toContain("--owner-password: ");
    const nameless = ["--owner-email", "ann", "--owner-password", "correct horse battery"];
    expect(await refused(...nameless)).toContain("--owner-email: ");
    expect(await refused("--client-metadata-documents", "on", "--offline")).toContain("Remove one of them");
    const elsewhere = ["--public-url", "https://pay.example.com", "--host"];
    expect(await refused(...elsewhere, "192.0.2.1")).toContain("Cannot listen on 192.0.2.1 (--host)");
    expect(await refused(...elsewhere, "no.such.host.invalid")).toContain("(--host)");
    const { cert, key } = certificate("sixth");
    const tls = ["--tls-cert", cert, "--tls-key", key, "--public-url", "http://pay.example.com"];
    expect(await refused(...tls)).toContain("--tls-cert makes this server speak https");
    expect(await refused("--owner-password", "correct horse battery")).toContain("--owner-email");
    const [file, spoiled] = [join(folder, "no-folder"), join(folder, "spoiled")];
    writeFileSync(file, "");
    expect(await refused("--data-dir", file)).toContain(`${file} is a file`);
    expect(await refused("--data-dir", join(file, "data"))).toContain("cannot be created");
    // Writable, it seems, and still without room for a folder.
    expect(await refused("--data-dir", "/proc/data")).toMatch(/annot (be )?create/);
    mkdirSync(spoiled);
    writeFileSync(join(spoiled, "store.sqlite"), "not a database, and long enough to be looked at");
    expect(await refused("--data-dir", spoiled)).toContain("store.sqlite");
  });

  test("says what a server could start with, and what would never match or work", async () => {
    const warned = async (...flags: string[]) => {
      const ran = await cli("serve", "--check", ...flags, { environment });
      expect([flags, ran.code]).toEqual([flags, 0]);
      return ran.err;
    };
    expect(await warned()).toBe("");
    expect(await warned("--ingest-ticker", "ZZZZQ")).toMatch(
      /--ingest-ticker has no effect without --ingest-every\.\n.*--ingest-ticker "ZZZZQ": no company of the dataset/,
    );
    for (const [flag, text, needed] of [
      ["--ingest-index", "sp500", "without --ingest-every"],
      ["--backup-keep", "3", "without --backup-dir"],
      ["--mail-from", "pay@example.com", "without --smtp-url"],
      ["--sso-name", "Example", "without --sso-issuer"],
      ["--store-connections", "5", "without --store"],
    ] as const)
      expect(await warned(flag, text)).toContain(`warning: ${flag} has no effect ${needed}.`);
    expect(await warned("--unmetered", "--price-history", "2")).toContain("with --unmetered");
    const pay = ["--public-url", "https://pay.example.com"];
    expect(await warned(...pay)).toContain("--trusted-proxies");
    expect(await warned(...pay, "--trusted-proxies", "127.0.0.1")).toBe("");
    expect(await warned("--public-url", "http://pay.example.com")).toContain("unencrypted");
    const { cert, key } = certificate("fifth");
    expect(await warned(...pay, "--tls-cert", cert, "--tls-key", key)).toContain("not for pay.example.com");
  });

  test("doctor says so too of what the environment and the file set", async () => {
    const file = join(folder, "contradictory.toml");
    writeFileSync(file, 'offline = true\ningest-every = "24h"\n');
    const doctor = await cli("doctor", "--config", file, { environment });
    expect([doctor.code, doctor.out.replaceAll(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining("BROKEN settings: ingest-every (configuration file) fetches filings"),
    ]);
    const unused = { environment: { ...environment, EXECCOMP_BACKUP_KEEP: "3" } };
    expect((await cli("doctor", unused)).out).toContain(
      "warning  settings: EXECCOMP_BACKUP_KEEP has no effect without --backup-dir.",
    );
  });

  test("names a setting as it was set: in the file, in the environment, as a flag", async () => {
    const file = join(folder, "wrong.toml");
    writeFileSync(file, 'trusted-proxies = ["proxy.local"]\n');
    const check = async (...flags: string[]) =>
      (await cli("serve", "--check", ...flags, { environment })).err;
    expect(await check("--config", file)).toContain(
      'Cannot read trusted-proxies (configuration file) "proxy.local"',
    );
    expect(await check("--trusted-proxies", "proxy.local")).toContain("Cannot read --trusted-proxies");
    const set = { environment: { ...environment, EXECCOMP_TRUSTED_PROXIES: "proxy.local" } };
    expect((await cli("serve", "--check", set)).err).toContain("Cannot read EXECCOMP_TRUSTED_PROXIES");
  });

  test("whatever a setting is set to, it is read or refused, and is no bug", async () => {
    const texts = [
      "x",
      "10.0.0.0/99",
      "http://x.example/a",
      "javascript:alert(1)",
      "[::",
      "%",
      "-1",
      ",",
      "*",
    ];
    const bad: string[] = [];
    for (const name of SETTING_NAMES) {
      // A path is anything; `--store` and `--windows` would be connected to.
      if (/Dir|socket|tls|store$|windows/i.test(name)) continue;
      for (const text of texts) {
        const flag = `--${flagOf(name)}`;
        const { code, err } = await cli("serve", "--check", flag, text, { environment });
        if (![0, 1, 2].includes(code) || /bug in execcomp/.test(err)) bad.push(`${flag} ${text}: ${err}`);
      }
    }
    expect(bad).toEqual([]);
    for (const [flag, text] of [
      ["--cors-origins", "example.com"],
      ["--cors-origins", "https://a.example,https://b.example/path"],
      ["--client-callbacks", "http://x.example/cb"],
      ["--sso-domains", "@example.com"],
      ["--client-callbacks", "javascript:alert(1)"],
      ["--public-url", "https://*.example.com"],
      ["--store", "postgres://ann@db/pay?sslmode=on"],
      ["--windows", "postgres://ann@db/pay?sslmode=on"],
      ["--contact", "ann@example.com"],
      ["--backup-dir", "~/backups"],
      ["--socket", "~/http.sock"],
    ] as const)
      expect((await cli("serve", "--check", flag, text, { environment })).err).toContain(
        `Cannot read ${flag}`,
      );
  });

  test("tries what a server needs: the database, the folder for backups, the sign-in provider", async () => {
    const runtime = { ...testRuntime(), fetch };
    const check = (...flags: string[]) => cli("serve", "--check", ...flags, { environment, runtime });
    const lost = await check("--store", "postgres://ann:hunter2@127.0.0.1:1/pay");
    expect([lost.code, lost.err]).toEqual([
      1,
      expect.stringMatching(
        /PostgreSQL at 127\.0\.0\.1:1\/pay cannot be used: .*[^.]\. Check the address of --store/,
      ),
    ]);
    expect(lost.err).not.toContain("hunter2");
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const backups = await check("--backup-dir", join(file, "backups"));
    expect([backups.code, backups.err]).toEqual([
      1,
      expect.stringContaining("Choose another folder with --backup-dir"),
    ]);
    const long = await check(
      "--socket",
      join(folder, `${"a".repeat(100)}.sock`),
      "--public-url",
      "https://a.example",
    );
    expect([long.code, long.err]).toEqual([1, expect.stringContaining("shorter than 100 bytes")]);
    // Nothing is left, not even the folder, which would belong to whoever checked.
    for (const made of [false, true]) {
      const written = join(folder, "backups");
      if (made) mkdirSync(written);
      expect((await check("--backup-dir", join(written, "of", "pay"))).code).toBe(0);
      expect(existsSync(written) ? readdirSync(written) : null).toEqual(made ? [] : null);
    }
    for (const [service, told] of [
      ["valkey://:hunter2@127.0.0.1:1", /valkey at 127\.0\.0\.1:1 cannot be used: .*--windows/],
      [
        "postgres://ann:hunter2@127.0.0.1:1/pay",
        /PostgreSQL at 127\.0\.0\.1:1\/pay cannot be used: .*--windows/,
      ],
    ] as const) {
      const uncounted = await check("--windows", service);
      expect([uncounted.code, uncounted.err]).toEqual([1, expect.stringMatching(told)]);
      expect(uncounted.err).not.toContain("hunter2");
    }
    const unsent = await check("--smtp-url", "smtp://127.0.0.1:1", "--mail-from", "pay@example.com");
    expect([unsent.code, unsent.err]).toEqual([
      1,
      expect.stringMatching(/mail server 127\.0\.0\.1:1 .*--smtp-url/),
    ]);
    const sso = (issuer: string) => check("--sso-issuer", issuer, "--sso-client-id", CLIENT.id);
    const nobody = await sso("http://127.0.0.1:9");
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining("--sso-issuer")]);
    const provider = await startProvider(() => ["http://localhost:8402/sign-in/provider/callback"]);
    try {
      const answered = await sso(provider.issuer);
      expect([answered.code, answered.err]).toEqual([0, ""]);
      expect((await check("--sso-issuer", provider.issuer, "--sso-client-id", "x", "--offline")).code).toBe(
        0,
      );
    } finally {
      await provider.stop();
    }
  });

  test("works while a server runs on the same folder", async () => {
    const dataDir = join(folder, "running");
    mkdirSync(dataDir);
    const server = await startTestServer({ dataDir });
    const before = readdirSync(dataDir).toSorted();
    const ran = await cli("serve", "--check", "--port", String(server.port), {
      environment: { EXECCOMP_DATA_DIR: dataDir },
    });
    expect(ran.code).toBe(0);
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
    await server.stop();
  });
});
