/** How a server gets its first owner, and what it prints until then. */
import { afterEach, expect, test } from "bun:test";
import { firstOwner, printFirstOwner } from "../../src/cli/server/serve-jobs.ts";
import { openPage } from "../support/html.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const EMAIL = "ann@example.com";
const CONFIGURED = { ownerEmail: EMAIL, ownerPassword: "correct horse battery" };

let server: TestServer;
afterEach(() => server.stop());

const urls = () => ({ origin: server.origin, api: "", compensation: "", mcp: "", developer: "" });
const signIn = (password: string) =>
  server.accounts.signIns
    .byPassword({
      email: EMAIL,
      password,
      address: "198.51.100.1",
      userAgent: null,
      previous: null,
      device: null,
    })
    .then(
      () => "signed in",
      () => "refused",
    );

test("the configured owner is created once: a later start leaves a changed password alone", async () => {
  server = await startTestServer(CONFIGURED);
  const { signUps } = server.accounts;
  expect(await firstOwner(server.services, urls())).toBeNull();
  expect(await signIn(CONFIGURED.ownerPassword)).toBe("signed in");
  await signUps.createWithPassword(EMAIL, "another good password");
  expect(await firstOwner(server.services, urls())).toBeNull();
  expect(await signIn("another good password")).toBe("signed in");
  expect(await signIn(CONFIGURED.ownerPassword)).toBe("refused");
});

test("without one a link is printed, until there is an owner", async () => {
  server = await startTestServer();
  const { signUps } = server.accounts;
  expect(await firstOwner(server.services, urls())).toContain(`${server.origin}/set-up?token=`);
  // Nobody can be asked yet.
  const pages = () =>
    Promise.all(["/sign-in", "/set-up?token=x"].map(async (path) => (await openPage(server, path)).text));
  for (const text of await pages()) expect(text).not.toContain("sk the owner");
  expect((await pages())[0]).toContain("has no owner yet");
  await signUps.createWithPassword(EMAIL, CONFIGURED.ownerPassword);
  expect(await firstOwner(server.services, urls())).toBeNull();
  expect((await pages())[0]).toContain("Ask the owner");
});

test("nothing is printed after the server has ended, even if the store answers then", async () => {
  server = await startTestServer();
  const { accounts } = server.services;
  if (accounts === null) throw new Error("a server has a store");
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const users = Object.assign(Object.create(accounts.users), {
    async hasOwner() {
      asked.resolve();
      await answered.promise;
      return false;
    },
  });
  const printed: string[] = [];
  const tell = (services: TestServer["services"]) =>
    printFirstOwner(undefined, services, urls(), { print: (line) => void printed.push(line) });
  const end = tell({ ...server.services, accounts: { ...accounts, users } });
  await asked.promise;
  end();
  answered.resolve();
  // A second one that has not ended prints after it.
  tell(server.services);
  await until("it is printed", () => printed.length > 0);
  expect(printed).toHaveLength(1);
});
