/** One person's presses on several servers at once: the same is paid and opened as if they had come one after another. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { realRuntime } from "../../src/runtime.ts";
import { addPerson, BrowserSession } from "../contract/oauth/support.ts";
import { paidDataset } from "../support/paid-dataset.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/** Pages that have rows or totals in common. */
const AT_ONCE = [
  ["/rankings?fiscal_year=2024", "/rankings?fiscal_year_gte=2024&fiscal_year_lte=2024"],
  ["/rankings?fiscal_year=2024&office=peo", "/rankings?fiscal_year=2024"],
  ["/rankings?fiscal_year=2024&state=CA", "/rankings?fiscal_year=2024&state=CA&companies=AAA,AAC", "/t/AAA"],
  [
    "/ceo-pay?fiscal_year=2024",
    "/ceo-pay?fiscal_year=2024&state=NY",
    "/rankings?fiscal_year=2024&office=peo",
  ],
  ["/compare?companies=AAA,AAB,AAC", "/compare?companies=AAA,AAB", "/t/AAC"],
  ["/statistics?fiscal_year=2023", "/rankings?fiscal_year=2023&state=CA"],
  ["/t/AAA", "/c/0000000101", "/compare?companies=AAA"],
];
const ROUNDS = 4;

/** A browser with an address of its own: how often one may ask has its own tests. */
class BrowserFrom extends BrowserSession {
  constructor(
    server: TestServer,
    private readonly address: string,
  ) {
    super(server);
  }

  override open(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("x-forwarded-for", this.address);
    return super.open(url, { ...init, headers });
  }
}

const postgres = hasPostgres ? await startPostgres() : null;
afterAll(() => postgres?.stop());

describe.skipIf(postgres === null)("three servers on one PostgreSQL", () => {
  let servers: TestServer[] = [];
  let people = 0;

  beforeAll(async () => {
    const { id, secret } = realRuntime();
    const settings = {
      store: postgres?.url ?? "",
      publicUrl: "http://pay.example.com",
      trustedProxies: "127.0.0.1",
    };
    const dataDirs = [1, 2, 3].map(() => paidDataset(() => 1));
    servers = await Promise.all(
      dataDirs.map((dataDir) => startTestServer({ ...settings, dataDir }, { id, secret })),
    );
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });

  const at = (n: number): TestServer => {
    const server = servers[n % servers.length];
    if (server === undefined) throw new Error("no server");
    return server;
  };

  /** A member with so many credits, signed in on all servers. */
  async function member(balance: number) {
    const person = { email: `member-${++people}@example.com`, password: "correct horse battery" };
    const userId = await addPerson(at(0), person);
    const { credits } = at(0).accounts;
    await credits.grant(userId, balance);
    const address = `198.18.${people >> 8}.${people & 255}`;
    const first = new BrowserFrom(at(0), address);
    await first.signIn(person);
    const browserAt = (n: number) => {
      const browser = new BrowserFrom(at(n), address);
      for (const [name, value] of first.jar) browser.jar.set(name, value);
      return browser;
    };
    const page = await (await first.open("/coverage", { headers: { accept: "text/html" } })).text();
    const csrf = /name="csrf" value="([^"]*)"/.exec(page)?.[1] ?? "";
    return {
      async press(n: number, path: string) {
        const answer = await browserAt(n).submit(path, { csrf, opens: "" }, { accept: "text/html" });
        return { path, status: answer.status, id: answer.headers.get("x-request-id") ?? "" };
      },
      /** The requests that were charged, in that order. */
      async charged() {
        const entries = await credits.entries(userId, { limit: 99 });
        return entries.toReversed().flatMap(({ kind, requestId }) => (kind === "charged" ? [requestId] : []));
      },
      opened: () => credits.opened(userId, at(0).services.snapshots.current().info.contentHash),
    };
  }

  const replayed = new Map<string, Promise<boolean[]>>();
  /** Whether each page costs something, pressed one after another on one server. */
  const oneAfterAnother = (paths: readonly string[]) =>
    replayed.getOrInsertComputed(paths.join(" "), async () => {
      const ann = await member(9);
      const costs = [];
      for (const path of paths) {
        const { id } = await ann.press(0, path);
        costs.push((await ann.charged()).includes(id));
      }
      return costs;
    });

  test.each(AT_ONCE)("%s and what overlaps it", async (...paths) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ann = await member(9);
      const pressed = await Promise.all(paths.map((path, n) => ann.press(round + n, path)));
      const charged = await ann.charged();
      const free = pressed.filter(({ id }) => !charged.includes(id));
      const order = [...charged.map((id) => pressed.find((one) => one.id === id)), ...free];
      expect(await oneAfterAnother(order.map((one) => one?.path ?? "none"))).toEqual([
        ...charged.map(() => true),
        ...free.map(() => false),
      ]);
      expect(await ann.opened()).toHaveLength(charged.length);
      // Where nothing was left to pay for, the page itself is the answer.
      for (const { path, id, status } of pressed)
        expect([path, charged.includes(id) ? [303] : [200, 303]]).toEqual([
          path,
          expect.arrayContaining([status]),
        ]);
    }
    expect(await at(1).accounts.credits.problems()).toEqual([]);
  });

  test("with one credit one page is opened, and nothing without it", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ann = await member(1);
      const paths = ["/rankings?fiscal_year=2024", "/ceo-pay?fiscal_year=2023", "/t/AAA"];
      const pressed = await Promise.all(paths.map((path, n) => ann.press(round + n, path)));
      const charged = await ann.charged();
      expect([charged.length, (await ann.opened()).length]).toEqual([1, 1]);
      for (const { path, id, status } of pressed)
        expect([path, status]).toEqual([path, charged.includes(id) ? 303 : 402]);
    }
    expect(await at(2).accounts.credits.problems()).toEqual([]);
  });
});
