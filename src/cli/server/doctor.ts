import { openAccounts } from "../../server/compose.ts";
import { accountFindings } from "../../operate/self-check.ts";
import { type Finding, examine } from "../../store/examine.ts";
import { OperatorError } from "../../errors.ts";
import { verifySnapshot } from "../../dataset/verify.ts";
import { type Io, command, UsageError } from "../command.ts";

/** `execcomp doctor` */
export const doctor = command({
  name: "doctor",
  summary: "Check files, permissions, schema, ledger and clock, and say what to do.",
  details: "Changes nothing. Exits with 1 if something is broken; with 0 if there are only warnings.",
  operands: [],
  flags: {
    since: {
      value: "ENTRY",
      about:
        "Check the ledger only after this entry, and a large store's file not at all: what a server does every hour.",
    },
  },
  settings: ["store"],
  examples: [["doctor", "Run this first when something is wrong."]],
  async run({ flags }, io) {
    const { store, dataDir } = io.loaded.config;
    const since = flags.since === undefined ? null : Number(flags.since);
    if (since !== null && !Number.isSafeInteger(since))
      throw new UsageError(
        `Cannot read --since ${JSON.stringify(flags.since)}: expected the number of an entry.`,
      );
    const how = { isRecentOnly: since !== null };
    const findings = store === "" ? [...examine(dataDir, io.runtime.now(), how)] : [await database(io)];
    const isSound = store === "" ? sound(findings) : findings[0]?.status === "ok";
    const found = isSound ? await accounts(io, since) : { findings: [], newestEntry: null };
    findings.push(...found.findings);
    findings.push(dataset(io));
    const ok = findings.every(({ status }) => status !== "broken");
    if (io.json) io.printJson({ ok, findings, newestEntry: found.newestEntry ?? undefined });
    else
      for (const { check, status, message } of findings)
        io.print(`${MARKS[status]} ${check}: ${message}`, " ".repeat(9));
    return ok ? 0 : 1;
  },
});

const MARKS = { ok: "ok      ", warning: "warning ", broken: "BROKEN  " } as const;

/** Whether the store exists, is intact and has this version's schema: otherwise there is nothing to read in it. */
function sound(findings: readonly Finding[]): boolean {
  const passed = findings.filter(({ status }) => status === "ok").map(({ check }) => check);
  return passed.includes("schema") && passed.includes("soundness");
}

/** Verifies every byte of the dataset that a server on this folder would use. */
function dataset(io: Io): Finding {
  try {
    const { name } = verifySnapshot(io.loaded.config.dataDir);
    return { check: "dataset", status: "ok", message: `Every byte of ${name} matches its seal.` };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { check: "dataset", status: "broken", message: error.message };
  }
}

/** Checks that the database responds and has this version's schema. */
async function database(io: Io): Promise<Finding> {
  const { store } = openAccounts(io.loaded.config, io.runtime);
  try {
    await store.ready();
    return store.failure === null
      ? { check: "store", status: "ok", message: "PostgreSQL responds, and its schema is current." }
      : { check: "store", status: "broken", message: store.failure };
  } finally {
    await store.close();
  }
}

async function accounts(io: Io, since: number | null): ReturnType<typeof accountFindings> {
  const { store, users, credits } = openAccounts(io.loaded.config, io.runtime);
  try {
    return await accountFindings({ users, credits }, since);
  } finally {
    await store.close();
  }
}
