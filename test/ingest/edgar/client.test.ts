import { afterAll, beforeAll, expect, test } from "bun:test";
import { OperatorError } from "../../../src/errors.ts";
import { COOL_DOWN_MS, RateLimiter } from "../../../src/ingest/edgar/rate-limiter.ts";
import { Edgar } from "../../../src/ingest/edgar/client.ts";
import { fetchDocument } from "../../../src/ingest/edgar/submissions.ts";
import { testRuntime } from "../../support/runtime.ts";
import { type Fault, type ReplayEdgar, startReplay } from "../../support/edgar.ts";
import { testClock, testEdgar, testFolder } from "../../support/edgar-client.ts";
import { madeCompany, madeCorpus } from "../../support/edgar-made.ts";

const company = madeCompany(900_001, 2025, 2);
const [newest] = company.filings;
const PATH = `/Archives/edgar/data/900001/${newest?.accession.replaceAll("-", "")}/${newest?.primaryDocument}`;
const EXPECTED = newest?.document ?? "";

let replay: ReplayEdgar;
beforeAll(async () => {
  replay = await startReplay(madeCorpus([company]));
});
afterAll(() => replay.stop());

const textOf = (got: { kind: string; bytes?: Uint8Array }) => new TextDecoder().decode(got.bytes);

test("a document arrives complete through gzip, and EDGAR gets the contact", async () => {
  using folder = testFolder();
  const { edgar } = testEdgar(replay, folder.path);
  const got = await edgar.get(replay.wwwUrl + PATH, { expect: "document" });
  expect(got.kind).toBe("ok");
  expect(textOf(got)).toBe(EXPECTED);
  const asked = replay.seen.at(-1);
  expect(asked?.headers.get("user-agent")).toBe("execcomp A Tester tester@example.com");
  expect(asked?.headers.get("accept-encoding")).toContain("gzip");
});

for (const fault of [
  "503",
  "truncated",
  "reset",
  "cut-length",
  "redirect-home",
  "invalid-body",
  "broken-coding",
] as Fault[]) {
  test(`a temporary ${fault} is overcome: the document is the right one`, async () => {
    using folder = testFolder();
    const { edgar, clock } = testEdgar(replay, folder.path);
    const url =
      fault === "invalid-body"
        ? `${replay.dataUrl}/submissions/CIK${company.cik}.json`
        : replay.wwwUrl + PATH;
    replay.misbehave(/./, fault);
    const got =
      fault === "invalid-body"
        ? await edgar.get(url, { expect: "json" })
        : await fetchDocument(edgar, url, {});
    expect(got.kind).toBe("ok");
    expect(textOf(got)).toContain(fault === "invalid-body" ? company.name : EXPECTED);
    expect(clock.slept.every((ms) => ms <= 1000)).toBe(true);
  });
}

for (const fault of ["503", "truncated", "reset"] as Fault[]) {
  test(`a permanent ${fault} ends after four attempts with the reason`, async () => {
    using folder = testFolder();
    const { edgar, clock } = testEdgar(replay, folder.path);
    replay.misbehave(/./, fault, 4);
    const before = replay.seen.length;
    const got = await edgar.get(replay.wwwUrl + PATH, { expect: "document" });
    expect(got).toMatchObject({ kind: "unavailable" });
    expect(JSON.stringify(got)).toContain(PATH);
    expect(replay.seen.length - before).toBe(4);
    // Random, between half and all of 1, 4 and 16 seconds, and longer each time.
    const waits = clock.slept.filter((ms) => ms > 200);
    expect(waits.map((ms) => Math.ceil(Math.log2(ms / 500) / 2))).toEqual([1, 2, 3]);
  });
}

test("without a network, requests are tried once after the first; an answer brings the patience back", async () => {
  using folder = testFolder();
  // Nobody listens on port 9.
  const { edgar, clock } = testEdgar({ ...replay, wwwUrl: "http://127.0.0.1:9" }, folder.path);
  const waits = () => clock.slept.splice(0).filter((ms) => ms > 200).length;
  const ask = () => edgar.get(`http://127.0.0.1:9${PATH}`, { expect: "document" });
  for (let asked = 0; asked < 100; asked++)
    expect(await ask()).toMatchObject({
      kind: "unavailable",
      why: expect.stringContaining("connection refused"),
    });
  expect(waits()).toBeLessThan(40);
  await ask();
  expect(waits()).toBe(0);
  const list = await edgar.get(`${replay.dataUrl}/submissions/CIK${company.cik}.json`, { expect: "json" });
  expect(list.kind).toBe("ok");
  await ask();
  expect(waits()).toBe(3);
});

test.each([
  ["broken-coding", PATH, "document", "is damaged: its compressed data cannot be unpacked"],
  [
    "broken-gzip",
    "/Archives/edgar/full-index/2025/QTR1/master.gz",
    "gzip",
    "is damaged: its compressed data",
  ],
  ["reset", PATH, "document", "failed: "],
  ["slow", PATH, "document", "took too long (timeout)"],
] as const)("a permanent %s is told in our words", async (fault, path, kind, told) => {
  using folder = testFolder();
  const { edgar } = testEdgar(replay, folder.path, { timeoutMs: 500 });
  replay.misbehave(/./, fault, 4);
  const got = await edgar.get(replay.wwwUrl + path, { expect: kind });
  expect(got).toEqual({ kind: "unavailable", why: expect.stringContaining(`${path} ${told}`) });
  expect(JSON.stringify(got)).not.toMatch(/zlib|verbose|fetching|TypeError/i);
});

test("a document that never ends is abandoned in time", async () => {
  using folder = testFolder();
  const { edgar } = testEdgar(replay, folder.path, { timeoutMs: 60 });
  replay.misbehave(/./, "slow", 4);
  const got = await edgar.get(replay.wwwUrl + PATH, { expect: "document" });
  expect(got).toMatchObject({ kind: "unavailable" });
  expect(JSON.stringify(got)).toContain("timeout");
});

test("a document truncated at the same place every time is not mistaken for a complete one", async () => {
  using folder = testFolder();
  const { edgar } = testEdgar(replay, folder.path);
  replay.misbehave(/proxy/, "cut-length", 2);
  replay.change(
    `${PATH.replace(/[^/]*$/, "")}index.json`,
    new TextEncoder().encode(
      JSON.stringify({
        directory: {
          item: [{ name: newest?.primaryDocument, type: "text.gif", size: String(EXPECTED.length) }],
        },
      }),
    ),
  );
  const got = await fetchDocument(edgar, replay.wwwUrl + PATH, {});
  expect(got).toMatchObject({ kind: "unavailable" });
  expect(JSON.stringify(got)).toContain(`of ${EXPECTED.length}`);
});

test("a redirect to another host is not followed", async () => {
  using folder = testFolder();
  const { edgar } = testEdgar(replay, folder.path);
  replay.misbehave(/./, "redirect-away");
  const got = await edgar.get(replay.wwwUrl + PATH, { expect: "document" });
  expect(got).toMatchObject({ kind: "unavailable" });
  expect(JSON.stringify(got)).toContain("elsewhere.invalid");
});

test("a document that EDGAR lacks is reported as missing at once", async () => {
  using folder = testFolder();
  const { edgar, clock } = testEdgar(replay, folder.path);
  const got = await edgar.get(`${replay.wwwUrl}/Archives/edgar/data/1/000000000026000001/x.htm`, {
    expect: "document",
  });
  expect(got).toEqual({ kind: "missing" });
  expect(clock.slept.filter((ms) => ms > 200)).toEqual([]);
});

for (const fault of ["block-page", "block-page-200", "429"] as Fault[]) {
  test(`${fault}: no request is sent for ten minutes, by any caller, even across a restart`, async () => {
    using folder = testFolder();
    const { edgar, runtime } = testEdgar(replay, folder.path);
    replay.misbehave(/./, fault);
    const url = replay.wwwUrl + PATH;
    const untilMs = runtime.now() + COOL_DOWN_MS;
    const first = await edgar.get(url, { expect: "document" });
    const blockedUntilMs = first.kind === "unavailable" ? (first.untilMs ?? 0) : 0;
    expect(blockedUntilMs).toBeGreaterThanOrEqual(untilMs);

    const before = replay.seen.length;
    runtime.advance(COOL_DOWN_MS - 1000);
    const afterRestart = testEdgar(replay, folder.path, { runtime });
    expect(await afterRestart.edgar.get(url, { expect: "document" })).toMatchObject({
      kind: "unavailable",
      untilMs: blockedUntilMs,
    });
    expect(replay.seen.length).toBe(before);

    runtime.advance(2000);
    expect((await afterRestart.edgar.get(url, { expect: "document" })).kind).toBe("ok");
  });
}

test("an unchanged copy is not sent again; a changed one is", async () => {
  using folder = testFolder();
  const { edgar } = testEdgar(replay, folder.path);
  const url = `${replay.wwwUrl}/Archives/edgar/data/900001/${company.filings[1]?.accession.replaceAll("-", "")}/${company.filings[1]?.primaryDocument}`;
  const first = await edgar.get(url, { expect: "document" });
  if (first.kind !== "ok") throw new Error(first.kind);
  expect(first.etag).toMatch(/^"[0-9a-f]+"$/);
  expect(await edgar.get(url, { expect: "document", validators: first })).toEqual({ kind: "unchanged" });
  replay.change(new URL(url).pathname, new TextEncoder().encode("<html><body>Corrected</body></html>"));
  const changed = await edgar.get(url, { expect: "document", validators: first });
  expect(changed.kind).toBe("ok");
  expect(textOf(changed)).toContain("Corrected");
});

test("a contact without an e-mail address is refused before any request, and the flag is named", () => {
  const runtime = testRuntime();
  const clock = testClock(runtime);
  for (const contact of ["", "somebody", "a\r\nHost: x@y.z", "naïve me@x.org"]) {
    const make = () =>
      new Edgar({
        runtime,
        clock,
        rateLimiter: new RateLimiter("/nowhere", clock),
        contact,
        wwwUrl: "http://127.0.0.1",
        dataUrl: "http://127.0.0.1",
      });
    expect(make).toThrow(OperatorError);
    expect(make).toThrow("--contact");
  }
});

test("at most eight requests start in any second, from two processes together", async () => {
  using folder = testFolder();
  const runtime = testRuntime();
  const clock = testClock(runtime);
  const two = [new RateLimiter(folder.path, clock), new RateLimiter(folder.path, clock)];
  const starts: number[] = [];
  for (let at = 0; at < 40; at++) {
    await two[at % 2]?.acquire();
    starts.push(clock.now());
  }
  for (const start of starts) {
    expect(starts.filter((one) => one >= start && one < start + 1000).length).toBeLessThanOrEqual(8);
  }
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeLessThan(40 * 125 + 125);
});
