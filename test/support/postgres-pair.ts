import { SQL } from "bun";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { asNobody, serverFolder } from "./background-server.ts";
import { startPostgres, type TestPostgres, tool } from "./postgres.ts";
import { until } from "./until.ts";

/** A primary at an address that stays the same, like a virtual IP, and its synchronous standbys. */
export interface PostgresPair {
  /** For `--store`: the database `execcomp` of the current primary. */
  url: string;
  /** SIGKILL to the primary and its children, then a restart on the same data. */
  crash(): Promise<void>;
  /** Starts a standby of the primary; once this resolves, each commit waits for it. */
  addStandby(): Promise<void>;
  /** SIGKILL to the primary for good; the standby takes its place. */
  failOver(): Promise<void>;
  /** The next flush of each process of the primary fails, upon which PostgreSQL ends all of them and recovers. Needs strace. */
  failFlush(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a primary without a standby. @param settings lines of `postgresql.conf` */
export async function startPostgresPair(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresPair> {
  let primary = await startPostgres({ settings });
  let standby: TestPostgres | null = null;
  const relay = await startRelay(() => primary.port);
  return {
    url: `postgres://postgres@127.0.0.1:${relay.port}/execcomp`,
    async crash() {
      await killAll(primary);
      // The killed processes' shared memory disappears a moment after them.
      await until("PostgreSQL starts again", () =>
        primary.start().then(
          () => true,
          () => false,
        ),
      );
    },
    async addStandby() {
      standby = await startStandby(primary, settings);
    },
    async failOver() {
      if (standby === null) throw new Error("no standby: call addStandby first");
      await killAll(primary);
      await run([tool("pg_ctl"), "promote", "-w", "-s", "-D", standby.folder]);
      rmSync(dirname(primary.folder), { recursive: true });
      primary = standby;
      standby = null;
    },
    async failFlush() {
      const inject = ["-e", "trace=fdatasync,fsync", "-e", "inject=fdatasync,fsync:error=EIO:when=1"];
      const { children } = processesOf(primary);
      const traced = children.flatMap((pid) => ["-p", String(pid)]);
      // Ends with them. The postmaster is not traced, nor is what it starts then.
      await Bun.spawn(["strace", "-qq", "-o", "/dev/null", ...inject, ...traced]).exited;
      await until("PostgreSQL has ended them", () => children.every((pid) => !existsSync(`/proc/${pid}`)));
    },
    async [Symbol.asyncDispose]() {
      relay.close();
      await standby?.kill();
      await primary.kill();
    },
  };
}

async function startStandby(
  primary: TestPostgres,
  settings: Readonly<Record<string, string>>,
): Promise<TestPostgres> {
  const folder = join(serverFolder("standby"), "data");
  const from = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "postgres"];
  await run([tool("pg_basebackup"), "-R", "-D", folder, "-c", "fast", "--no-sync", ...from]);
  const standby = await startPostgres({ folder, settings });
  // Set after the copy, so that the standby does not wait for another one once it is promoted.
  await using admin = new SQL(primary.url, { max: 1 });
  await admin.unsafe("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await admin.unsafe("SELECT pg_reload_conf()");
  await until("the standby is synchronous", async () => {
    const rows: unknown[] = await admin`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
    return rows.length === 1;
  });
  return standby;
}

/** As if the machine failed: its processes are not notified and do nothing more. */
async function killAll(postgres: TestPostgres): Promise<void> {
  const { main, children } = processesOf(postgres);
  for (const pid of [main, ...children]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended on its own.
    }
  }
  await postgres.kill();
}

/** The postmaster and the processes that it has started. */
function processesOf({ folder }: TestPostgres): { main: number; children: number[] } {
  const main = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
  const children = readFileSync(`/proc/${main}/task/${main}/children`, "utf8");
  return { main, children: children.trim().split(" ").map(Number) };
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn(asNobody(command), { stdin: "ignore", stdout: "ignore", stderr: "pipe", cwd: "/" });
  const errors = await Bun.readableStreamToText(child.stderr);
  if ((await child.exited) !== 0) throw new Error(`${command[0]}: ${errors}`);
}

/** A TCP port whose connections go to the port that is current when they are opened. */
async function startRelay(target: () => number): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target(), "127.0.0.1");
    const end = () => {
      near.destroy();
      far.destroy();
      open.delete(near);
    };
    open.add(near);
    for (const socket of [near, far]) socket.setNoDelay(true).on("error", end).on("close", end);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // For a server on TCP it is never a path.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
