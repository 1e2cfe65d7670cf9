import { fstatSync, statSync } from "node:fs";
import { boundedOutput } from "./cli/bounded-output.ts";
import { realRuntime } from "./runtime.ts";
import { endsWithStdin, run } from "./cli/run.ts";

const output = Bun.stdout.writer();
const errors = boundedOutput(Bun.stderr.writer(), Bun.sleep);
const stop = Promise.withResolvers<string>();
const onReload: (() => void)[] = [];

/**
 * Whether a stream is a terminal. `process.stdout` would tell, but creating it loads streams and sockets, a seventh of
 * the startup time; so it is used only for what may be a terminal (docs/decisions/executable.md).
 */
function isTerminal(name: "stdout" | "stderr", fd: number): boolean {
  return mayBeTerminal(fd) && process[name].isTTY === true;
}

function mayBeTerminal(fd: number): boolean {
  if (process.platform === "win32") return true;
  try {
    const file = fstatSync(fd);
    return file.isCharacterDevice() && file.rdev !== statSync("/dev/null").rdev;
  } catch {
    // The descriptor was closed by the parent process, or there is no such device.
    return true;
  }
}

const terminal = isTerminal("stdout", 1);

if (endsWithStdin()) void endWithStdin();

/** Ends this process, which a server started, when the server has ended, however it did. */
async function endWithStdin(): Promise<void> {
  for await (const _ of Bun.stdin.stream());
  setTimeout(() => process.exit(1), 10_000).unref();
  process.kill(process.pid, "SIGTERM");
}

const code = await run(process.argv.slice(2), {
  runtime: realRuntime(),
  async write(bytes) {
    // Either rejects if the reader has gone.
    await output.write(bytes);
    await output.flush();
  },
  printError: (text) => errors.write(text),
  stdin: () => Bun.stdin.stream(),
  untilStopped() {
    const end = (signal: string) => {
      // Exits even if something hangs: draining takes up to eight seconds, the whole shutdown up to ten.
      setTimeout(() => process.exit(1), 10_000).unref();
      stop.resolve(signal);
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => end(signal));
    // With a terminal: it was closed. Without: the usual signal to reload files.
    process.on("SIGHUP", () => {
      if (process.stdin.isTTY || process.stderr.isTTY) end("SIGHUP");
      else for (const work of onReload) work();
    });
    // By default, these would end the process without draining.
    for (const signal of ["SIGUSR1", "SIGUSR2"] as const) process.on(signal, () => {});
    return stop.promise;
  },
  whenReloaded(work) {
    onReload.push(work);
  },
  terminal,
  // A terminal without a size reports 0.
  columns: (terminal && process.stdout.columns) || null,
  rows: (terminal && process.stdout.rows) || null,
  async page({ command: [shell = "sh", ...words], environment }, text) {
    // Ctrl+C is for the pager.
    const ignore = () => {};
    process.on("SIGINT", ignore);
    try {
      const child = Bun.spawn([shell, ...words], {
        stdin: new Blob([text]),
        stdout: "inherit",
        stderr: "inherit",
        env: environment,
      });
      // 127: the shell did not find the pager.
      return (await child.exited) !== 127;
    } catch {
      return false;
    } finally {
      process.off("SIGINT", ignore);
    }
  },
  // A compiled executable starts itself; in a checkout, Bun runs this file.
  program: /^\/\$bunfs\/|~BUN/.test(Bun.main) ? [process.execPath] : [process.execPath, Bun.main],
  watched: isTerminal("stderr", 2),
});
await errors.end(1000);
process.exit(code);
