import { afterAll, beforeAll, expect, test } from "bun:test";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { submitForm } from "../support/form.ts";
import { until } from "../support/until.ts";

let mail: MailServer;
let server: TestServer;
beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestServer({ smtpUrl: mail.url, mailFrom: "pay@example.com" });
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
});

const password = "correct horse battery";
const ask = (email: string) => submitForm(server, "/forgot-password", { email });
const mailsTo = (email: string) => mail.taken.filter(({ to }) => to.includes(email));

test("a user who forgot the password gets a link by e-mail and sets a new one", async () => {
  await server.accounts.signUps.createWithPassword("ann@example.com", "an old long password");
  expect(await (await server.get("/sign-in")).text()).toContain('href="/forgot-password"');
  const answer = await ask("Ann@Example.com");
  expect(answer.status).toBe(200);
  await until("the mail is there", () => mailsTo("ann@example.com").length === 1);
  const [, link = ""] = /(http:\S+\/reset\?token=\S+)/.exec(mailsTo("ann@example.com")[0]?.text ?? "") ?? [];
  expect(link).toStartWith(server.origin);
  const path = link.slice(server.origin.length);
  expect((await submitForm(server, path, { password })).status).toBe(303);
  expect((await submitForm(server, "/sign-in", { email: "ann@example.com", password })).status).toBe(303);
  expect((await submitForm(server, path, { password })).status).toBe(410);
});

test("the answer is the same without an account, and nothing is sent", async () => {
  const { users, signUps } = server.accounts;
  await users.findOrCreate("sso@example.com");
  const { id } = await signUps.createWithPassword("gone@example.com", password);
  await users.disable(id);
  await signUps.createWithPassword("zoe@example.com", password);
  const bodies = [];
  for (const email of ["nobody@example.com", "sso@example.com", "gone@example.com", "zoe@example.com"]) {
    const answer = await ask(email);
    bodies.push(`${answer.status} ${(await answer.text()).replaceAll(email, "EMAIL")}`);
  }
  expect(new Set(bodies).size).toBe(1);
  await until("the only mail is there", () => mailsTo("zoe@example.com").length === 1);
  for (const email of ["nobody@example.com", "sso@example.com", "gone@example.com"]) {
    expect(mailsTo(email)).toEqual([]);
  }
});

test("mailboxes cannot be flooded: one link every ten minutes, and few requests per address", async () => {
  await server.accounts.signUps.createWithPassword("bea@example.com", password);
  const statuses = [];
  for (let n = 0; n < 7; n += 1) statuses.push((await ask("bea@example.com")).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  await until("the first mail is there", () => mailsTo("bea@example.com").length === 1);
  server.advance(16 * 60_000);
  await ask("bea@example.com");
  await until("a later one, too", () => mailsTo("bea@example.com").length === 2);
});

test("an invalid address is reported, and without a mail server there is no such page", async () => {
  const answer = await ask("x");
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("expected an e-mail address such as ann@example.com");
  const without = await startTestServer();
  expect((await without.get("/forgot-password")).status).toBe(404);
  expect(await (await without.get("/sign-in")).text()).not.toContain("forgot-password");
  await without.stop();
});
