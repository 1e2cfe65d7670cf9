import { Glob, SQL } from "bun";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { asNobody, type BackgroundServer, serverFolder, startBackgroundServer } from "./background-server.ts";

/** The oldest major version that the store supports. */
const MIN_VERSION = 15;

const BIN = findBin();

const DIST = join(dirname(dirname(import.meta.dir)), "dist");

/** Whether a PostgreSQL can be started here; prints the reason if not. */
export const hasPostgres = BIN !== null;
if (!hasPostgres)
  console.log(`skipped: PostgreSQL ${MIN_VERSION} or newer is not installed (apt-get install postgresql)`);

/** A PostgreSQL server for a test. */
export interface TestPostgres extends BackgroundServer {
  /** For `--store`: the database `execcomp`, empty. */
  url: string;
  /** Its data folder. */
  folder: string;
  /** A new empty database on the same server; its URL. */
  createDatabase(): Promise<string>;
}

/** Start options. */
export interface PostgresOptions {
  /** Lines of `postgresql.conf`: `{ fsync: "on" }` for tests that simulate a machine failure. */
  settings?: Readonly<Record<string, string>>;
  /** Data of another server to continue from; default a new cluster. */
  folder?: string;
}

/** Starts one on a free port, over TCP and without a password. It does not flush: killing a process loses nothing. */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const folder = options.folder ?? (await createCluster());
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    fsync: "off",
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = await startBackgroundServer({
    command: (port) => [tool("postgres"), "-D", folder, "-p", String(port), ...flags],
    isReady: (port) =>
      runs([tool("pg_isready"), "-q", "-h", "127.0.0.1", "-p", String(port)]).then((code) => code === 0),
    // Fast shutdown ends sessions; immediate shutdown ends the postmaster and its children without a checkpoint.
    stopSignal: "SIGINT",
    killSignal: "SIGQUIT",
  });
  const urlOf = (name: string) => `postgres://postgres@127.0.0.1:${server.port}/${name}`;
  let databases = 0;
  const createDatabase = async (name = `execcomp_${++databases}`) => {
    await using admin = new SQL(urlOf("postgres"), { max: 1 });
    await admin.unsafe(`CREATE DATABASE ${name}`);
    return urlOf(name);
  };
  const url = options.folder === undefined ? await createDatabase("execcomp") : urlOf("execcomp");
  return Object.assign(server, { url, folder, createDatabase: () => createDatabase() });
}

/** The path of a PostgreSQL program: `pg_basebackup` for a standby, `pg_ctl` to promote one. Run it with `asNobody`. */
export function tool(name: string): string {
  if (BIN === null) throw new Error("no PostgreSQL: ask `hasPostgres` first");
  return join(BIN, name);
}

const INITDB = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--wal-segsize=1", "--no-sync"];

/** A new cluster: a copy of an empty one, which takes a twentieth of the time of `initdb`. */
async function createCluster(): Promise<string> {
  const folder = join(serverFolder("postgres"), "data");
  await run(["cp", "-a", await emptyCluster(), folder]);
  return folder;
}

/** An empty cluster for this version, user and flags, created once per checkout. */
async function emptyCluster(): Promise<string> {
  const version = Bun.spawnSync([tool("postgres"), "--version"]).stdout.toString();
  const key = Bun.hash([version, process.getuid?.(), ...INITDB].join()).toString(16);
  const cluster = join(DIST, `postgres-${key}`);
  if (existsSync(cluster)) return cluster;
  const folder = join(serverFolder("initdb"), "data");
  await run(asNobody([tool("initdb"), "-D", folder, ...INITDB]));
  mkdirSync(DIST, { recursive: true });
  const part = `${cluster}.${process.pid}`;
  await run(["cp", "-a", folder, part]);
  try {
    renameSync(part, cluster);
  } catch {
    // Another test file was faster.
    rmSync(part, { recursive: true });
  }
  return cluster;
}

async function run(command: string[]): Promise<void> {
  const code = await runs(command);
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}`);
}

function runs(command: string[]): Promise<number> {
  return Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore", cwd: "/" }).exited;
}

/** Where Debian installs them, which is not on the PATH; otherwise wherever they are found. */
function findBin(): string | null {
  const versions = [...new Glob("/usr/lib/postgresql/*/bin/postgres").scanSync("/")]
    .map((path) => ({
      bin: path.replace(/^\/?/, "/").replace(/\/postgres$/, ""),
      version: Number(/postgresql\/(\d+)/.exec(path)?.[1]),
    }))
    .filter(({ version }) => version >= MIN_VERSION)
    .sort((a, b) => b.version - a.version);
  if (versions[0] !== undefined) return versions[0].bin;
  const found = Bun.which("postgres");
  return found === null || Bun.which("initdb") === null ? null : join(found, "..");
}
