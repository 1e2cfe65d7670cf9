/** What the system knows of a process under test. Linux only: elsewhere every figure is NaN. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuNanos } from "./burst.ts";

/** Memory of a process in MB (2^20 bytes). */
export interface Memory {
  /** All of its pages that are in memory, those of mapped files among them. */
  resident: number;
  /** Pages that are its own and in no file: what nobody else can have while it runs. */
  private: number;
}

/** @see proc(5), /proc/pid/smaps_rollup */
export function memoryOf(pid: number): Memory {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1024;
  return { resident: mb("Rss"), private: mb("Anonymous") };
}

/**
 * Milliseconds on a core so far of the thread that answers. Between two points at which nothing else is asked it is how
 * long nobody could have been answered, whatever else the machine does.
 */
export function mainThreadMs(pid: number): number {
  return Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[0]) / 1e6;
}

/** Processes that a process started. @see proc(5), /proc/pid/task/tid/children */
export function childrenOf(parent: number): number[] {
  return readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    read(`/proc/${parent}/task/${task}/children`).trim().split(" ").filter(Boolean).map(Number),
  );
}

/** CPU time so far of a PostgreSQL with its sessions. @param postgres by its data folder */
export function postgresNanos(postgres: { folder: string }): number {
  const main = Number(readFileSync(join(postgres.folder, "postmaster.pid"), "utf8").split("\n")[0]);
  return [main, ...childrenOf(main)].reduce((sum, pid) => sum + cpuNanos(pid), 0);
}

function read(path: string): string {
  return process.platform === "linux" ? readFileSync(path, "utf8") : "";
}
