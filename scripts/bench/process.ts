/** System figures of a process under test. Linux only: elsewhere every figure is NaN. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuNanos } from "./burst.ts";

/** Memory of a process in MB (2^20 bytes). */
export interface Memory {
  /** All of its resident pages, including those of mapped files. */
  resident: number;
  /** Pages that belong to it alone and to no file: memory unavailable to others while it runs. */
  private: number;
}

/** @see proc(5), /proc/pid/smaps_rollup */
export function memoryOf(pid: number): Memory {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1024;
  return { resident: mb("Rss"), private: mb("Anonymous") };
}

/**
 * CPU time of the answering thread so far, in milliseconds. Between two points without other requests it is the time
 * during which no caller could have been answered, whatever else the machine does.
 */
export function mainThreadMs(pid: number): number {
  return Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[0]) / 1e6;
}

/** Child processes of a process. @see proc(5), /proc/pid/task/tid/children */
export function childrenOf(parent: number): number[] {
  return readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    read(`/proc/${parent}/task/${task}/children`).trim().split(" ").filter(Boolean).map(Number),
  );
}

/** CPU time so far of a PostgreSQL with its sessions. @param postgres identified by its data folder */
export function postgresNanos(postgres: { folder: string }): number {
  const main = Number(readFileSync(join(postgres.folder, "postmaster.pid"), "utf8").split("\n")[0]);
  return [main, ...childrenOf(main)].reduce((sum, pid) => sum + cpuNanos(pid), 0);
}

function read(path: string): string {
  return process.platform === "linux" ? readFileSync(path, "utf8") : "";
}
