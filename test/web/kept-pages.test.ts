/** A company's page is the same for all viewers who see every year, and contains nothing personal. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { addPerson, BrowserSession } from "../contract/oauth/support.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const PEOPLE = ["ann", "ben", "cem"].map((name) => ({
  email: `${name}@example.com`,
  password: "correct horse battery",
}));
let server: TestServer;
let browsers: BrowserSession[];
beforeAll(async () => {
  server = await startTestServer({ publicUrl: "https://pay.example.com" });
  browsers = await Promise.all(
    PEOPLE.map(async (person) => {
      await addPerson(server, person);
      const browser = new BrowserSession(server);
      await browser.signIn(person);
      return browser;
    }),
  );
  for (const email of ["ann@example.com", "ben@example.com"]) {
    const user = await server.accounts.users.findByEmail(email);
    if (user === undefined) throw new Error("nobody");
    await server.accounts.credits.setUnmetered(user.id, true);
  }
});
afterAll(() => server.stop());

const html = { accept: "text/html" };
const textOf = async (answer: Response) => (await answer.text()).replaceAll(/\s+/g, " ");
const csrfOf = (text: string) => [...text.matchAll(/name="csrf" value="([^"]*)"/g)].map(([, csrf]) => csrf);
const mainOf = (text: string) => /<main[^]*<\/main>/.exec(text)?.[0] ?? "";

test("two unmetered people see the same company content, each in their own frame", async () => {
  const [ann, ben, cem] = browsers as [BrowserSession, BrowserSession, BrowserSession];
  const [first, second, again, third] = [
    await textOf(await ann.open("/t/AAPL")),
    await textOf(await ben.open("/t/AAPL")),
    await textOf(await ann.open("/t/AAPL")),
    await textOf(await cem.open("/t/AAPL")),
  ];
  expect(mainOf(first)).toBe(mainOf(second));
  expect(again).toBe(first);
  expect(mainOf(first)).toContain("Pay over the years");
  expect(mainOf(first)).not.toMatch(/csrf|@example/);
  for (const [text, name, others] of [
    [first, "ann", ["ben", "cem"]],
    [second, "ben", ["ann", "cem"]],
    [third, "cem", ["ann", "ben"]],
  ] as const) {
    expect(text).toContain(`${name}@example.com`);
    for (const other of others) expect(text).not.toContain(`${other}@`);
  }
  expect(csrfOf(first)).not.toEqual(csrfOf(second));
  // A user who has unlocked nothing is offered the history, and a visitor gets the latest year, whatever was cached
  // for others.
  expect(mainOf(third)).not.toContain("Pay over the years");
  expect(mainOf(third)).toContain("earlier fiscal years (1 credit)");
  const visitor = await textOf(await server.get("/t/AAPL", { headers: html }));
  expect(mainOf(visitor)).not.toContain("Pay over the years");
  expect(visitor).not.toContain("@example");
});

test("each year and each company is a separate page, by symbol and by CIK", async () => {
  const [ann] = browsers as [BrowserSession];
  const open = async (path: string) => mainOf(await textOf(await ann.open(path)));
  for (let round = 0; round < 2; round++) {
    expect(await open("/t/AAPL?year=2023")).toContain('?year=2023" aria-current="page"');
    expect(await open("/t/AAPL?year=2024")).toContain('?year=2024" aria-current="page"');
    expect(await open("/t/MSFT")).toMatch(/<h1>\s*Microsoft/);
    expect(await open("/t/GOOG")).toContain('href="/t/GOOG/');
    expect(await open("/t/GOOGL")).toContain('href="/t/GOOGL/');
    expect(await open("/c/320193")).toBe(await open("/t/AAPL"));
  }
});

test("a kept page is one of its address: localhost, 127.0.0.1 and [::1] each name themselves", async () => {
  const server = await startTestServer();
  const tags = new Set<string>();
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    for (let n = 0; n < 2; n++) {
      const answer = await server.get("/", {
        headers: { host: `${host}:${server.port}`, "x-forwarded-for": "1.2.3.4" },
      });
      const text = await answer.text();
      expect(text).toContain(`<link rel="canonical" href="http://${host}:${server.port}/"`);
      tags.add(answer.headers.get("etag") ?? "none");
    }
  }
  expect([tags.size, tags.has("none")]).toEqual([3, false]);
  await server.stop();
});
