import { describe, expect, test } from "bun:test";
import { realRuntime } from "../../src/runtime.ts";
import { addPerson, codeFields, REDIRECT } from "../contract/oauth/support.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { startTestServer } from "../support/server.ts";

const postgres = hasPostgres ? await startPostgres() : null;

describe.skipIf(postgres === null)("two servers on one PostgreSQL", () => {
  test("what strangers can guess or create is counted across all servers: codes, forms, registrations, passwords", async () => {
    const from = "203.0.113.77";
    const settings = {
      store: postgres?.url ?? "",
      trustedProxies: "127.0.0.1",
      publicUrl: "https://pay.example.com",
      registrationsPerHour: "5",
    };
    const { id, secret } = realRuntime();
    const start = () => startTestServer(settings, { id, secret });
    const [one, two] = await Promise.all([start(), start()]);
    const at = (n: number) => (n % 2 === 0 ? one : two);
    const ask = async (times: number, path: string, body: (n: number) => string) => {
      const answers = await Promise.all(
        Array.from({ length: times }, (_, n) =>
          at(n).get(path, {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": from },
            body: body(n),
          }),
        ),
      );
      return answers.filter((answer) => answer.status !== 429).length;
    };
    // Codes that do not exist.
    const guess = (n: number) => new URLSearchParams(codeFields(one, "x", `xc_code_${n}`)).toString();
    expect(await ask(700, "/oauth/token", guess)).toBe(600);
    expect(await ask(80, "/sign-in", (n) => `email=nobody-${n}@example.com&password=x`)).toBe(60);
    const registered = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        at(n).get("/oauth/register", {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.78" },
          body: JSON.stringify({ redirect_uris: [REDIRECT] }),
        }),
      ),
    );
    expect(registered.filter((answer) => answer.status === 201)).toHaveLength(5);
    // The limit on pages protects the machine that renders them: each server has its own.
    const pages = await Promise.all(
      Array.from({ length: 400 }, (_, n) => at(n).get("/sign-in", { headers: { "x-forwarded-for": from } })),
    );
    expect(pages.filter((answer) => answer.status === 200)).toHaveLength(400);
    // Wrong passwords for one account: five per address, whichever server is used.
    await addPerson(one, { email: "fay@example.com", password: "correct horse battery" });
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => at(n).accounts.throttle.begin("fay@example.com", from, null)),
    );
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    await Promise.all([one.stop(), two.stop()]);
  });
});
