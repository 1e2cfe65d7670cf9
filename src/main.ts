import "./cli/lean.ts";
import { realAmbient } from "./ambient.ts";
import { run } from "./cli/run.ts";

const output = Bun.stdout.writer();
const stop = Promise.withResolvers<string>();

process.exitCode = await run(process.argv.slice(2), {
  ambient: realAmbient(),
  async write(bytes) {
    output.write(bytes);
    await output.flush();
  },
  complain: (text) => void process.stderr.write(text),
  stdin: () => Bun.stdin.stream(),
  untilStopped() {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.resolve(signal));
    return stop.promise;
  },
  terminal: process.stdout.isTTY === true,
});
