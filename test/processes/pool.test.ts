import { expect, jest, test } from "bun:test";
import type { Company } from "../../src/domain/company.ts";
import { ServiceError } from "../../src/errors.ts";
import { createLog } from "../../src/log.ts";
import { createRegistry } from "../../src/metrics.ts";
import type { Access } from "../../src/processes/decisions.ts";
import { createDecisions } from "../../src/processes/decisions.ts";
import type { FromWorker, ToWorker } from "../../src/processes/messages.ts";
import { createOwnerAccess } from "../../src/processes/owner-access.ts";
import { startPool } from "../../src/processes/pool.ts";
import { until } from "../support/until.ts";

const CALLER = {
  presented: { kind: "key", secret: "s" },
  address: "198.51.100.1",
  requestId: "r.1",
} as const;
const ANN = { kind: "key", keyId: "k", userId: "ann" } as const;
const NO_ACCESS: Access = {
  admit: () => Promise.reject(new Error("nobody asks")),
  checkLimits: () => undefined,
  charge: () => ({ charged: 0, remaining: 7 }),
};

/** A worker's side and its owner's, with JSON between them as in the channel of two processes. */
function connected(access: Partial<Access>) {
  const sent: FromWorker[] = [];
  const worker = createOwnerAccess((message) => {
    sent.push(JSON.parse(JSON.stringify(message)));
    if (message.kind === "decide") decide(JSON.parse(JSON.stringify(message.requests)));
  });
  const decide = createDecisions({ ...NO_ACCESS, ...access }, (message: ToWorker) =>
    worker.receive(JSON.parse(JSON.stringify(message))),
  );
  return { worker, sent };
}

test("the admission and the balance arrive in one message; a free answer needs no other", async () => {
  const charged: number[] = [];
  const { worker, sent } = connected({
    admit: () => ({ principal: ANN, window: null }),
    charge(_principal, { costCredits }) {
      charged.push(costCredits);
      const receipt = { charged: costCredits, remaining: 7 - costCredits };
      return costCredits === 0 ? receipt : Promise.resolve(receipt);
    },
  });
  const [first, second] = await Promise.all([
    worker.admit(CALLER, "credential"),
    worker.admit(CALLER, "credential"),
  ]);
  expect(first).toEqual({ principal: ANN, window: null });
  expect(sent).toHaveLength(1);
  const reason = { operation: "o", ticker: null, requestId: "r.1" };
  expect(worker.charge(first.principal, { ...reason, costCredits: 0 })).toEqual({ charged: 0, remaining: 7 });
  expect(await worker.charge(second.principal, { ...reason, costCredits: 2 })).toEqual({
    charged: 2,
    remaining: 5,
  });
  expect(sent).toHaveLength(2);
  expect(charged).toEqual([0, 0, 2]);
});

test("refusals keep their kind and details; a bug of the owner is not exposed", async () => {
  const window = { name: "key", quota: 1, windowSeconds: 60, remaining: 0, resetSeconds: 9 };
  const full = new ServiceError("rate_limited", "Full.", { retryAfterSeconds: 9, window });
  const { worker } = connected({
    admit: (_caller, need) => {
      if (need === "any") throw full;
      throw new TypeError("a bug");
    },
    checkLimits: (_caller, need) => (need === "any" ? full : undefined),
    charge: () => Promise.reject(new ServiceError("payment_required", "No.")),
  });
  const thrown = await Promise.resolve(worker.admit(CALLER, "any")).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ServiceError);
  expect(thrown).toMatchObject({ kind: "rate_limited", message: "Full.", details: full.details });
  const bug = await Promise.resolve(worker.admit(CALLER, "credential")).catch((error: unknown) => error);
  expect(bug).not.toBeInstanceOf(ServiceError);
  expect(String(bug)).toContain("a bug");
  expect(await worker.checkLimits(CALLER, "any")).toMatchObject({ kind: "rate_limited" });
  expect(await worker.checkLimits(CALLER, "credential")).toBeUndefined();
  const unpaid = { costCredits: 1, operation: "o", ticker: null, requestId: "r" };
  const refused = await Promise.resolve(worker.charge(ANN, unpaid)).catch((error: unknown) => error);
  expect(refused).toMatchObject({ kind: "payment_required" });
});

test("an answered request is not retained", async () => {
  const { worker } = connected({ admit: () => ({ principal: ANN, window: null }) });
  const admit = async () => new WeakRef(await worker.admit(CALLER, "any"));
  const answers = await Promise.all(Array.from({ length: 200 }, admit));
  await Bun.sleep(0);
  Bun.gc(true);
  // The engine may still reference a few on its stack.
  expect(answers.filter((answer) => answer.deref() !== undefined).length).toBeLessThan(50);
});

test("the owner is asked to load a missing company; its answer is passed on from the second request on", () => {
  const { worker, sent } = connected({});
  // Only these members of a company are read.
  const company = { cik: "0000000001", name: "Acme", hasRows: false } as Company;
  expect(worker.onDemand.request(company, false)).toBeNull();
  expect(worker.onDemand.request(company, true)).toMatchObject({ retryAfterSeconds: 2 });
  expect(sent).toEqual([
    { kind: "wanted", cik: company.cik, mayStart: false },
    { kind: "wanted", cik: company.cik, mayStart: true },
  ]);
  const refusal = { retryAfterSeconds: 5, message: "It is being fetched." };
  worker.receive({ kind: "fetching", cik: company.cik, refusal });
  expect(worker.onDemand.request(company, false)).toEqual(refusal);
  worker.receive({ kind: "fetching", cik: company.cik, refusal: null });
  expect(worker.onDemand.request(company, true)).toBeNull();
});

test("a worker that stops reporting is killed, and another is started", async () => {
  const lines: string[] = [];
  const pool = startPool({
    count: 1,
    command: [process.execPath, "-e", 'process.send({ kind: "listening" }); setInterval(() => {}, 1000);'],
    environment: process.env,
    access: NO_ACCESS,
    onDemand: null,
    companyOf: () => undefined,
    registry: createRegistry(),
    log: createLog({ now: () => 0 }, (line) => lines.push(line)),
    note: () => {},
    monotonic: () => performance.now(),
    watchMs: 20,
  });
  await pool.ready;
  await until("it was ended", () => lines.some((line) => line.includes("worker_ended")));
  expect(lines[0]).toContain("worker_silent");
  await until("another one answers", () => pool.registry.text().includes("execcomp_workers 1"));
  expect(pool.registry.text()).toContain("execcomp_worker_restarts_total 1");
  await pool.stop(0);
});

/** A pool of one process that runs a script. */
function poolOf(script: string, deps: Partial<Parameters<typeof startPool>[0]> = {}) {
  const lines: string[] = [];
  const notes: string[] = [];
  const pool = startPool({
    count: 1,
    command: [process.execPath, "-e", script],
    environment: process.env,
    access: NO_ACCESS,
    onDemand: null,
    companyOf: () => undefined,
    registry: createRegistry(),
    log: createLog({ now: () => 0 }, (line) => lines.push(line)),
    note: (line) => notes.push(...line.split("\n")),
    monotonic: () => 0,
    watchMs: 1000,
    ...deps,
  });
  return { pool, lines, notes };
}

/** Waits without timers, which the test controls. */
async function untilSo(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => void setImmediate(resolve));
}

test("a worker that starts slowly, or that reports after each check, is left alone", async () => {
  jest.useFakeTimers();
  // It listens, and reports, when it is sent something.
  const { pool, lines } = poolOf(
    'let n = 0; process.on("message", () => process.send(n++ === 0 ? { kind: "listening" } : { kind: "metrics", metrics: [], residentBytes: n }));',
  );
  try {
    jest.advanceTimersByTime(10_000);
    pool.reload();
    await pool.ready;
    for (let report = 2; report < 12; report++) {
      jest.advanceTimersByTime(3000);
      pool.reload();
      await untilSo(
        () =>
          lines.length > 0 || pool.registry.text().includes(`resident_memory_bytes{worker="1"} ${report}\n`),
      );
    }
    expect(lines).toEqual([]);
  } finally {
    jest.useRealTimers();
    await pool.stop(0);
  }
});

test("a worker learns that a company has rows, and does not fetch it", async () => {
  const asked: string[] = [];
  const company = (cik: string) => ({ cik, hasRows: cik === "0000000001" }) as Company;
  const { pool, notes } = poolOf(
    'process.on("message", ({ cik, refusal }) => console.error(cik + " " + JSON.stringify(refusal)));' +
      'for (const cik of ["0000000001", "0000000002"]) process.send({ kind: "wanted", cik, mayStart: true });' +
      'process.send({ kind: "listening" });',
    {
      companyOf: company,
      onDemand: {
        request({ cik }, mayStart) {
          asked.push(`${cik} ${mayStart}`);
          return { retryAfterSeconds: 5, message: "Fetching." };
        },
      },
    },
  );
  await until("both are answered", () => notes.length === 2);
  expect(asked).toEqual(["0000000002 true"]);
  expect(notes).toEqual(["0000000001 null", '0000000002 {"retryAfterSeconds":5,"message":"Fetching."}']);
  await pool.stop(0);
});
