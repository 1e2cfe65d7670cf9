/** The program as a separate process: signals, pipes, and its environment. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boundedOutput } from "../../src/cli/bounded-output.ts";
import { refuseRuntimeVariables } from "../../src/config/process.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();
const children: Bun.Subprocess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});
let made = 0;

/** A server in a separate process, with its standard error controlled by the test. */
async function serving(environment: Record<string, string> = {}) {
  const dataDir = join(folder, String(++made));
  const child = Bun.spawn([...PROGRAM, "serve", "--port", "0", "--data-dir", dataDir], {
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  children.push(child);
  let out = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    out += chunk;
    const origin = /^ready (\S+)$/m.exec(out)?.[1];
    if (origin !== undefined) return { child, dataDir, origin };
  }
  throw new Error(`not ready: ${out}`);
}

test("SIGUSR1, SIGUSR2 and, without a terminal, SIGHUP leave a server running; on SIGHUP it reads its files again", async () => {
  const { child, origin } = await serving();
  for (const signal of ["SIGUSR1", "SIGUSR2", "SIGHUP"] as const) {
    child.kill(signal);
    expect((await fetch(`${origin}/t/AAPL/facts`)).status).toBe(200);
  }
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  const log = await new Response(child.stderr).text();
  expect(log).toContain('"event":"reloaded"');
  expect(log).toContain('"signal":"SIGTERM"');
});

test("unread log lines are bounded; dropped ones are counted once the reader is back", async () => {
  const written: string[] = [];
  let release = () => {};
  const sink = {
    write: (text: string) => written.push(text),
    flush: () => new Promise<number>((resolve) => (release = () => resolve(0))),
  };
  const output = boundedOutput(sink, Bun.sleep);
  const line = `${"x".repeat(1023)}\n`;
  for (let n = 0; n < 3000; n++) output.write(line);
  expect(written).toHaveLength(1024);
  release();
  await Bun.sleep(0);
  expect(JSON.parse(written.at(-1) ?? "")).toEqual({
    level: "warn",
    event: "log_lines_dropped",
    lines: 3000 - 1024,
  });
});

test.skipIf(process.platform === "win32")(
  "files that a server creates are for its user only, including the store's log",
  async () => {
    const { child, dataDir, origin } = await serving();
    expect((await fetch(`${origin}/t/AAPL/facts`)).status).toBe(200);
    const modes = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o077]);
    expect(modes.map(([name]) => name)).toContain("store.sqlite-wal");
    expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
    child.kill("SIGTERM");
    await child.exited;
  },
);

const run = (words: string[], environment: Record<string, string>, command = PROGRAM) => {
  const ran = Bun.spawnSync([...command, ...words], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdin: "ignore",
  });
  return { code: ran.exitCode, out: ran.stdout.toString(), err: ran.stderr.toString() };
};

test("commands that need no data folder work without a home folder and a user name", () => {
  const nobody = ["setpriv", "--reuid=54321", "--clear-groups", ...PROGRAM];
  if (Bun.which("setpriv") === null || process.getuid?.() !== 0) {
    console.log("skipped: to run as a user without a name needs setpriv and root");
    return;
  }
  for (const words of [["version"], ["show", "AAPL", "--years", "1"]]) {
    const { code, err } = run(words, {}, nobody);
    expect([words, code, err.includes("a bug of execcomp")]).toEqual([words, 0, false]);
  }
});

test("a variable that starts a debugger is refused by name", () => {
  const dataDir = join(folder, "inspected");
  const { code, err } = run(["version"], {
    HOME: folder,
    EXECCOMP_DATA_DIR: dataDir,
    BUN_INSPECT_NOTIFY: "unix:///x",
  });
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("BUN_INSPECT_NOTIFY would change how this program runs"),
  ]);
});

test.each(["BUN_INSPECT", "BUN_INSPECT_CONNECT_TO", "BUN_INSPECT_NOTIFY", "BUN_OPTIONS"])(
  "%s is refused, and an empty one counts as absent",
  (name) => {
    expect(() => refuseRuntimeVariables({ [name]: "1" })).toThrow(
      `${name} would change how this program runs`,
    );
    expect(() => refuseRuntimeVariables({ [name]: "" })).not.toThrow();
  },
);

test("a secret passed as a flag is reported as visible in the process list, with the variable to use", () => {
  const words = ["get", "/t/AAPL/facts", "--data-dir", join(folder, "flag")];
  const secret = "correct horse battery";
  const { err } = run([...words, "--owner-password", secret], { HOME: folder });
  expect(err).toContain(
    "--owner-password is visible to every user of this machine. Set EXECCOMP_OWNER_PASSWORD",
  );
  expect(err).not.toContain(secret);
  // The output of `get --key` for scripts does not change; a terminal would have shown the note.
  expect(run([...words, "--key", `xc_live_${"a".repeat(38)}`], { HOME: folder }).err).toBe("200\n");
});

test("doctor reports a store, a log or an unfinished backup that others may read", async () => {
  const { child, dataDir } = await serving();
  child.kill("SIGTERM");
  await child.exited;
  const doctor = () => run(["doctor", "--data-dir", dataDir], { HOME: folder }).out;
  expect(doctor()).toMatch(/ok +permissions/);
  const unfinished = join(dataDir, "store.sqlite.incoming");
  writeFileSync(unfinished, readFileSync(join(dataDir, "store.sqlite")));
  chmodSync(unfinished, 0o644);
  expect(doctor()).toContain(`chmod 600 ${unfinished}`);
});
