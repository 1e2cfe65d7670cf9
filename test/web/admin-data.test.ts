/**
 * Owners install, roll back, back up, examine and ingest from pages: actions that run in separate processes of the
 * program.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { html } from "../../src/lib/html.ts";
import { receiveUpload } from "../../src/web/admin/dataset.ts";
import { askedFor } from "../../src/web/admin/ingest.ts";
import { BrowserSession } from "../contract/oauth/support.ts";
import { startReplay } from "../support/edgar.ts";
import { madeCompany, madeCorpus } from "../support/edgar-made.ts";
import { tempFolder } from "../support/folder.ts";
import { fieldsOf } from "../support/html.ts";
import { testRecord } from "../support/record.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";
import { until } from "../support/until.ts";

const OWNER = { email: "owner@example.com", password: "an owner's long password" };
const folder = tempFolder();

async function signedIn(server: TestServer): Promise<BrowserSession> {
  await server.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
  const owner = new BrowserSession(server);
  await owner.signIn(OWNER);
  return owner;
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ");
const alertOf = (text: string) => /role="alert"[^>]*>([^<]*)/.exec(plain(text))?.[1] ?? "";

describe("the dataset", () => {
  let server: TestServer;
  let owner: BrowserSession;
  beforeAll(async () => {
    server = await startTestServer();
    owner = await signedIn(server);
  });
  afterAll(() => server.stop());

  async function upload(file: string, more: Record<string, string> = {}, browser = owner): Promise<Response> {
    const form = new FormData();
    const { trust, ...hidden } = { ...(await fieldsOf(owner, "/admin/dataset", "install")), ...more };
    for (const [name, value] of Object.entries(hidden)) form.set(name, value);
    form.set("file", new File([readFileSync(file)], "pay.sqlite"));
    // After the file, as in the form.
    if (trust !== undefined) form.set("trust", trust);
    return browser.open("/admin/dataset/upload", { method: "POST", body: form });
  }

  const left = () =>
    readdirSync(join(server.services.config.dataDir, "snapshots")).filter((name) => /part|upload/.test(name));

  test("is installed from an uploaded file once its signer is trusted, and rolled back", async () => {
    const file = writeTestSnapshot(
      folder,
      "made.sqlite",
      [testRecord({ name: "Acme Corporation" })],
      "2099-01-01",
    );
    const untrusted = await (await upload(file)).text();
    expect(alertOf(untrusted)).toContain("pay.sqlite is not installed: it is unsigned");
    expect(alertOf(untrusted)).toContain("then tick &quot;Trust this file&quot;");
    const done = await upload(file, { trust: "yes" });
    expect(done.status).toBe(200);
    expect(plain(await done.text())).toContain("pay.sqlite was installed. Edition 2099-01-01");
    server.advance(2000);
    expect(server.services.snapshots.current().info.edition).toBe("2099-01-01");
    const asked = await owner.submit("/admin/dataset", await fieldsOf(owner, "/admin/dataset", "rollback"));
    expect(plain(await asked.text())).toContain("Roll back to the dataset inside the executable?");
    await owner.submit("/admin/dataset", {
      ...(await fieldsOf(owner, "/admin/dataset", "rollback")),
      sure: "yes",
    });
    server.advance(2000);
    expect(server.services.snapshots.current().info.origin).toBe("embedded");
    const acts = await server.accounts.audit.list({ limit: 2 });
    expect(acts.map(({ act, actor }) => [actor, act])).toEqual([
      [OWNER.email, "dataset_rolled_back"],
      [OWNER.email, "dataset_installed"],
    ]);
    expect(acts[1]?.after).toContain('"trusted_by_hand":true');
    expect(left()).toEqual([]);
  }, 300_000);

  test("is checked byte by byte on request", async () => {
    const answer = await owner.submit("/admin/dataset", await fieldsOf(owner, "/admin/dataset", "verify"));
    expect(plain(await answer.text())).toContain(
      "The dataset in use was verified: every byte matches its seal.",
    );
  });

  test("is not replaced by a text, an empty file, or a forged or damaged snapshot, trusted or not", async () => {
    const before = server.services.snapshots.current().info.contentHash;
    const good = readFileSync(writeTestSnapshot(folder, "good.sqlite"));
    const damaged = Buffer.from(good);
    damaged[damaged.length - 2000] = (damaged[damaged.length - 2000] ?? 0) ^ 1;
    for (const [name, bytes] of Object.entries({
      text: Buffer.from("Dear owner, please install me.\n".repeat(1000)),
      empty: Buffer.alloc(0),
      damaged,
      half: good.subarray(0, good.length / 2),
    })) {
      const file = join(folder, name);
      writeFileSync(file, bytes);
      for (const trust of ["", "yes"]) {
        const answer = await upload(file, { trust });
        expect([name, answer.status]).toEqual([name, 400]);
        expect(alertOf(await answer.text())).not.toBe("");
      }
    }
    server.advance(2000);
    expect(server.services.snapshots.current().info.contentHash).toBe(before);
    expect(left()).toEqual([]);
  }, 300_000);

  test("an upload of 10 GB is refused by its declared length; only an owner with the page's form can upload at all", async () => {
    const size = 10 * 2 ** 30;
    const raw = (headers: string) =>
      new Promise<string>((resolve, reject) => {
        let told = "";
        void Bun.connect({
          hostname: "127.0.0.1",
          port: server.port,
          socket: {
            open: (socket) =>
              void socket.write(
                `POST /admin/dataset/upload HTTP/1.1\r\nHost: ${new URL(server.origin).host}\r\nContent-Length: ${size}\r\nContent-Type: multipart/form-data; boundary=x\r\n${headers}\r\n--x\r\n`,
              ),
            data(socket, bytes) {
              told += bytes.toString();
              if (told.includes("\r\n\r\n")) {
                socket.end();
                resolve(told);
              }
            },
            error: (_socket, error) => reject(error),
          },
        });
      });
    const cookies = [...owner.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    expect(await raw(`Cookie: ${cookies}\r\n`)).toStartWith("HTTP/1.1 413");
    expect(await raw("")).toStartWith("HTTP/1.1 303");
    const file = writeTestSnapshot(folder, "other.sqlite");
    expect((await upload(file, { csrf: "x", trust: "yes" })).status).toBe(403);
    expect((await upload(file, { trust: "yes" }, new BrowserSession(server))).status).toBe(303);
    expect(left()).toEqual([]);
  });

  test.each<[string, string, number]>([
    ["without a declared length ends at the limit", "exceeds", Number.POSITIVE_INFINITY],
    ["that breaks off is refused as incomplete", "malformed or incomplete", 5],
  ])("an upload %s, and what was written is deleted", async (_, refusal, chunks) => {
    const file = join(folder, "endless");
    let sent = 0;
    const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        stream.enqueue(sent === 0 ? new TextEncoder().encode(head) : new Uint8Array(65_536));
        sent += 65_536;
        if (sent / 65_536 > chunks) stream.close();
      },
    });
    const request = new Request("http://localhost/", {
      method: "POST",
      body,
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    await expect(receiveUpload(request, { file, maxBytes: 2 ** 20, check() {} })).rejects.toThrow(refusal);
    expect(sent).toBeLessThan(20 * 2 ** 20);
    expect(await Bun.file(file).exists()).toBe(false);
  });
});

describe("a backup", () => {
  let server: TestServer;
  let owner: BrowserSession;
  beforeAll(async () => {
    server = await startTestServer();
    owner = await signedIn(server);
  });
  afterAll(() => server.stop());

  const download = async (more: Record<string, string> = {}) =>
    owner.submit("/admin/backup/download", {
      ...(await fieldsOf(owner, "/admin/backup", "download")),
      ...more,
    });
  const left = () =>
    readdirSync(server.services.config.dataDir).filter((name) => name.startsWith("download-"));

  test("is a complete store, and nothing of it stays on the server", async () => {
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="execcomp-\d{8}T\d{6}Z\.sqlite"$/,
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const file = join(folder, "backup.sqlite");
    await Bun.write(file, await answer.bytes());
    const copy = new Database(file, { readonly: true });
    expect(copy.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(copy.query<{ email: string }, []>("SELECT email FROM users").all()).toEqual([
      { email: OWNER.email },
    ]);
    copy.close();
    expect(left()).toEqual([]);
    const listed = await server.accounts.audit.list({ limit: 1 });
    expect(listed).toMatchObject([{ actor: OWNER.email, act: "backup_downloaded" }]);
  });

  test("requires the password again once the session is no longer fresh, and slows down guessing", async () => {
    server.advance(11 * 60_000);
    expect((await download({ password: "" })).status).toBe(403);
    expect((await download({ password: "not the password" })).status).toBe(403);
    const right = await download({ password: OWNER.password });
    expect(right.status).toBe(200);
    await right.body?.cancel();
    for (let n = 0; n < 5; n++) await download({ password: `guess ${n}` });
    expect((await download({ password: OWNER.password })).status).toBe(429);
    expect(await server.accounts.audit.list({ limit: 9, act: "backup_downloaded" })).toHaveLength(2);
    await until("the copy is deleted", () => left().length === 0);
  });
});

describe("health", () => {
  test("shows the checks of doctor and failures", async () => {
    const server = await startTestServer();
    const owner = await signedIn(server);
    const answer = await owner.submit("/admin/health", await fieldsOf(owner, "/admin/health", "examine"));
    const text = plain(await answer.text());
    expect(text).toContain("The checks were run just now.");
    expect(text).toContain("Every balance matches its ledger.");
    await server.stop();
  }, 300_000);
});

describe("an ingest", () => {
  test("is not offered if nothing may leave the machine, and says why", async () => {
    const server = await startTestServer({ offline: "true", contact: "Ann Lee ann@example.com" });
    const owner = await signedIn(server);
    const text = await (await owner.open("/admin/ingest")).text();
    expect(text).toContain("--offline is set");
    expect(text).not.toContain('name="symbols"');
    await server.stop();
    const other = await startTestServer();
    const text2 = await (await (await signedIn(other)).open("/admin/ingest")).text();
    expect(text2).toContain("Start the server with --contact");
    expect(text2).toContain("or give them on Set up.");
    await other.stop();
  });

  test("reads what was requested in a separate process, shows its progress, and is in the log", async () => {
    const company = madeCompany(9_000_001, 2025, 1);
    await using edgar = await startReplay(madeCorpus([company]));
    const server = await startTestServer({
      contact: "Ann Lee ann@example.com",
      edgarWwwUrl: edgar.wwwUrl,
      edgarDataUrl: edgar.dataUrl,
    });
    const owner = await signedIn(server);
    const path = "/admin/ingest";
    const fields = await fieldsOf(owner, path, "start");
    const wrong = await owner.submit(path, { ...fields, what: "companies", symbols: "--all", years: "1" });
    expect(alertOf(await wrong.text())).toContain("Cannot read the tickers");
    const release = edgar.hold(/./);
    const status = async () => plain(await (await owner.open(path)).text());
    const asked = {
      ...(await fieldsOf(owner, path, "start")),
      what: "companies",
      symbols: "MC9000001",
      years: "1",
    };
    const started = plain(await (await owner.submit(path, asked)).text());
    expect(started).toContain("The ingest has started.");
    expect(started).toContain("data-live");
    const second = await owner.submit(path, { ...asked, once: "another" });
    expect(alertOf(await second.text())).toContain("An ingest is already running");
    release();
    await until("the ingest ends", async () => (await status()).includes("Last ingest"));
    expect(await status()).toContain("3 rows for 1 company");
    expect(await status()).toContain("Proxy statements of MC9000001, 1 fiscal year of each.");
    await until(
      "the log has it",
      async () => (await server.accounts.audit.list({ limit: 1 }))[0]?.act === "dataset_installed",
    );
    const acts = await server.accounts.audit.list({ limit: 3 });
    expect(acts.map(({ act, actor }) => [actor, act])).toEqual([
      ["server", "dataset_installed"],
      [OWNER.email, "ingest_started"],
      [OWNER.email, "signed_in"],
    ]);
    server.advance(2000);
    expect(server.services.snapshots.current().findByCik("0009000001")?.name).toBe(company.name);
    await server.stop();
  }, 300_000);

  test.each([
    ["ticker F,MAR, years 3", "Proxy statements of F, MAR, 3 fiscal years of each."],
    [
      "pending, limit 1500, index sp500",
      "Known filings of S&P 500 companies that had not been read, the newest 1,500 at most.",
    ],
    [
      "pending, since 2026-03-04, cik 355 companies",
      "Known filings of 355 companies that had not been read, filed since 2026-03-04.",
    ],
    ["cik 9,12", "Proxy statements of CIK 9, 12."],
    ["fromDir ./filings", html`From the command line: <code>${"fromDir ./filings"}</code>`],
  ])("asked for as %s is told as a sentence", (request, said) => expect(askedFor(request)).toEqual(said));
});
