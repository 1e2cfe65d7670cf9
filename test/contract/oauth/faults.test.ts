import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../../support/cli.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { requirement } from "./requirements.ts";
import {
  addPerson,
  authorizeUrl,
  callHistory,
  codeFields,
  connect,
  PERSON,
  postForm,
  postJson,
  readJson,
  REDIRECT,
  BrowserSession,
} from "./support.ts";

/** Requests to a server whose store is damaged, and who sends them: a browser that signed in before. */
describe("while the store is damaged", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "execcomp-test-"));
  let server: TestServer;
  let browserSession: BrowserSession;
  let held: Awaited<ReturnType<typeof connect>>;

  beforeAll(async () => {
    const sound = await startTestServer({ dataDir });
    await addPerson(sound);
    held = await connect(sound);
    const before = new BrowserSession(sound);
    await before.signIn();
    await sound.stop();
    const file = join(dataDir, "store.sqlite");
    writeFileSync(file, new Uint8Array(Bun.file(file).size).fill(0x5a));
    server = await startTestServer({ dataDir });
    browserSession = new BrowserSession(server);
    for (const [name, value] of before.jar)
      browserSession.jar.set(name.replace(/\d+$/, String(server.port)), value);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("programs get 503 temporarily_unavailable with Retry-After", async () => {
    const { clientId, refreshToken, accessToken } = held;
    const refresh = { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken };
    const answers = [
      await postJson(server, "/oauth/register", { redirect_uris: [REDIRECT] }),
      await postForm(server, "/oauth/token", codeFields(server, clientId, "xc_ac_x")),
      await postForm(server, "/oauth/token", refresh),
      await postForm(server, "/oauth/revoke", { client_id: clientId, token: refreshToken }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await readJson(answer))["error"]).toBe("temporarily_unavailable");
    }
    expect((await callHistory(server, accessToken)).status).toBe(503);
  });

  test("people get a page with 503 and an explanation, signed in or not, and no redirect", async () => {
    for (const guest of [browserSession, new BrowserSession(server)]) {
      const pages = [
        await guest.open(authorizeUrl(server, held.clientId), { headers: { accept: "text/html" } }),
        await guest.open(`/oauth/authorize/consent?transaction=xc_ar_${"A".repeat(49)}`),
      ];
      for (const answer of pages) {
        // A request is not stored without a session: the explanation is on the sign-in page.
        const location = answer.headers.get("location");
        if (location === null) {
          expect([400, 503]).toContain(answer.status);
          expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
        } else expect(location).toStartWith(`${server.origin}/sign-in?transaction=`);
      }
    }
    for (const path of ["/sign-in", "/developer", "/set-up?token=x"]) {
      const answer = await browserSession.open(path, { headers: { accept: "text/html,*/*" } });
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await answer.text()).toContain("unavailable");
    }
    const guest = new BrowserSession(server);
    const failed = await guest.signIn(PERSON);
    expect(failed.status).toBe(503);
  });

  test("metadata documents are still served", async () => {
    for (const path of ["oauth-authorization-server", "oauth-protected-resource/mcp"]) {
      expect((await server.get(`/.well-known/${path}`)).status).toBe(200);
    }
    expect(server.lines.some((line) => line.includes('"event":"internal_error"'))).toBe(false);
  });
});

describe("two processes on one store", () => {
  requirement(49, "revocations by the command line take effect on the server's next request", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "execcomp-test-"));
    const server = await startTestServer({ dataDir });
    await addPerson(server);
    const run = (line: string) => cli(...line.split(" "), { environment: { EXECCOMP_DATA_DIR: dataDir } });
    const status = async (accessToken: string) => (await callHistory(server, accessToken)).status;
    const first = await connect(server);
    expect(await status(first.accessToken)).toBe(200);
    await run(`users disable --user ${PERSON.email}`);
    expect(await status(first.accessToken)).toBe(401);
    await run(`users enable --user ${PERSON.email}`);
    // Enabling the user again does not restore the connections.
    expect(await status(first.accessToken)).toBe(401);
    const second = await connect(server);
    expect(await status(second.accessToken)).toBe(200);
    await run(`users delete --user ${PERSON.email} --yes`);
    expect(await status(second.accessToken)).toBe(401);
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });
});
