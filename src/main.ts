import "./cli/lean.ts";
import { realRuntime } from "./runtime.ts";
import { run } from "./cli/run.ts";

const output = Bun.stdout.writer();
const complaints = Bun.stderr.writer();
const stop = Promise.withResolvers<string>();

const code = await run(process.argv.slice(2), {
  runtime: realRuntime(),
  async write(bytes) {
    output.write(bytes);
    await output.flush();
  },
  printError(text) {
    complaints.write(text);
    void complaints.flush();
  },
  stdin: () => Bun.stdin.stream(),
  untilStopped() {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.resolve(signal));
    return stop.promise;
  },
  terminal: process.stdout.isTTY === true,
  watched: process.stderr.isTTY === true,
});
await complaints.flush();
process.exit(code);
