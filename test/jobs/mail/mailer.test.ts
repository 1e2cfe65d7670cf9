import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { loadConfig } from "../../../src/config/load.ts";
import { createMailer, createOutbox, invitation } from "../../../src/jobs/mail.ts";
import { createLog } from "../../../src/log.ts";
import { cli } from "../../support/cli.ts";
import { tempFolder } from "../../support/folder.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { testRuntime } from "../../support/runtime.ts";
import { until } from "../../support/until.ts";

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());

const from = { mailFrom: "Pay data <pay@example.com>", offline: false };
const mail = invitation(
  "ann@example.com",
  "https://pay.example.com",
  "https://pay.example.com/invite?token=t=1",
);

describe("sending", () => {
  test("a message reaches its one address, with sender, subject and the complete link", async () => {
    await createMailer({ smtpUrl: server.url, ...from })?.send(mail);
    const taken = server.taken.at(-1);
    expect(taken).toMatchObject({ from: "pay@example.com", to: ["ann@example.com"] });
    expect(taken?.text).toContain("Subject: Your invitation to pay.example.com");
    expect(taken?.text).toContain("https://pay.example.com/invite?token=t=1");
  });

  test("user and password in the address are used, percent-decoded", async () => {
    const given: unknown[] = [];
    const guarded = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        given.push([username, password]);
        done(null, { user: username });
      },
      onData(stream, _session, done) {
        stream.resume();
        stream.on("end", () => done());
      },
    });
    const smtpUrl = guarded.url.replace("//", "//ann%40example.com:p%2Fw@");
    await createMailer({ smtpUrl, ...from })?.send(mail);
    expect(given).toEqual([["ann@example.com", "p/w"]]);
    await guarded.stop();
  });

  test("a list of addresses instead of one reaches no recipient", async () => {
    const before = server.taken.length;
    const mailer = createMailer({ smtpUrl: server.url, ...from });
    const sent = mailer?.send({ ...mail, to: "ann@example.com, eve@example.com" });
    await Promise.resolve(sent).catch(() => {});
    const addressed = server.taken.slice(before).flatMap(({ to }) => to);
    expect(addressed).not.toContain("eve@example.com");
  });

  test("a server elsewhere that offers no TLS is not used unencrypted", async () => {
    const elsewhere = await startMailServer({}, "127.0.0.2");
    const sent = createMailer({ smtpUrl: elsewhere.url, ...from })?.send(mail);
    expect(await Promise.resolve(sent).then(String, String)).toContain("STARTTLS");
    expect(elsewhere.taken).toEqual([]);
    await elsewhere.stop();
  });

  test("without a server, or when offline, no mail is sent", () => {
    expect(createMailer({ smtpUrl: "", ...from })).toBeNull();
    expect(createMailer({ smtpUrl: server.url, ...from, offline: true })).toBeNull();
    expect(() => createMailer({ smtpUrl: server.url, mailFrom: "", offline: false })).toThrow("--mail-from");
  });
});

test("pending messages are bounded, and a failure is reported without the address", async () => {
  const runtime = testRuntime();
  const lines: string[] = [];
  const log = createLog(runtime, (line) => lines.push(line));
  const waiting: PromiseWithResolvers<void>[] = [];
  const send = () => {
    const one = Promise.withResolvers<void>();
    waiting.push(one);
    return one.promise;
  };
  const outbox = createOutbox({ send }, log);
  for (let n = 0; n < 60; n += 1) outbox.post("reset", mail);
  expect(waiting).toHaveLength(50);
  expect(lines.filter((line) => line.includes("mail_dropped"))).toHaveLength(10);
  waiting[0]?.reject(new Error("greylisted"));
  await until("the failure is logged", () => lines.some((line) => line.includes("greylisted")));
  expect(lines.join("\n")).not.toContain("ann@example.com");
  outbox.post("reset", mail);
  expect(waiting).toHaveLength(51);
});

describe("settings", () => {
  test("the address of a mail server is parsed strictly and never printed", async () => {
    expect(loadConfig({ smtpUrl: "smtps://u:p@mail.example.com" }, undefined, {}).config.smtpUrl).toContain(
      "mail",
    );
    for (const bad of [
      "mail.example.com",
      "http://mail.example.com",
      "smtp://",
      "smtp://h/x",
      "smtp://h?pool=1",
    ]) {
      expect(() => loadConfig({ smtpUrl: bad }, undefined, {})).toThrow("Cannot read --smtp-url");
    }
    for (const [setting, bad] of [
      ["smtpUrl", "smtp://ann:hunter%2@mail.example.com"],
      ["store", "postgres://ann:50%off@localhost/execcomp"],
      ["windows", "valkey://:100%@localhost"],
    ] as const) {
      expect(() => loadConfig({ [setting]: bad }, undefined, {})).toThrow(
        "with any % in the password written as %25",
      );
    }
    expect(
      loadConfig({ store: "postgres://ann:50%25off@localhost/pay" }, undefined, {}).config.store,
    ).toContain("%25");
    expect(() => loadConfig({ mailFrom: "a@b\nBcc: c@d" }, undefined, {})).toThrow("Cannot read --mail-from");
    const environment = { EXECCOMP_SMTP_URL: "smtp://ann:hunter22@mail.example.com" };
    expect((await cli("config", "print", { environment })).out).not.toContain("hunter22");
  });
});

describe("from the command line", () => {
  const environment = () => ({
    EXECCOMP_DATA_DIR: tempFolder(),
    EXECCOMP_PUBLIC_URL: "https://pay.example.com",
    EXECCOMP_SMTP_URL: server.url,
    EXECCOMP_MAIL_FROM: "pay@example.com",
  });

  test("an invitation is mailed, and its link is printed all the same", async () => {
    const { out, err, code } = await cli("users", "invite", "--user", "Bob@example.com", {
      environment: environment(),
    });
    expect([code, err]).toEqual([0, "E-mailed to bob@example.com.\n"]);
    expect(out).toMatch(/^https:\/\/pay\.example\.com\/invite\?token=\S+\n$/);
    expect(server.taken.at(-1)).toMatchObject({ to: ["bob@example.com"] });
    expect(server.taken.at(-1)?.text).toContain(out.trim());
  });

  test("an unavailable mail server is reported, and the link is shown to be passed on", async () => {
    const gone = await startMailServer();
    await gone.stop();
    const { out, err, code } = await cli("users", "invite", "--user", "bob@example.com", "--json", {
      environment: { ...environment(), EXECCOMP_SMTP_URL: gone.url },
    });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ link: expect.stringContaining("/invite?token="), mailed: false });
    expect(err).toContain("was not sent");
    expect(err).toContain("Send the link yourself.");
  });
});
