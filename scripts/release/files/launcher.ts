/** What `npx execcomp` runs on Node: it finds the platform package that npm chose and runs its executable. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const system = { darwin: "macos", win32: "windows" }[process.platform as string] ?? process.platform;
const file = process.platform === "win32" ? "execcomp.exe" : "execcomp";

function find(): string | undefined {
  // npm installs the matching one; if it cannot distinguish glibc from musl, it installs both.
  const names = [`@execcomp/${system}-${process.arch}`, `@execcomp/${system}-${process.arch}-musl`];
  for (const name of isMusl() ? names.toReversed() : names) {
    try {
      return require.resolve(`${name}/${file}`);
    } catch {
      // Not installed: try the next one.
    }
  }
  return undefined;
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  // Node's own report; a header without glibc's version is musl's.
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime === undefined;
}

const executable = find();
if (executable === undefined) {
  console.error(
    `execcomp: no package for ${process.platform}-${process.arch} is installed. Reinstall without --omit=optional; if that does not help, this platform is not supported.`,
  );
  process.exit(1);
}
const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`execcomp: cannot start ${executable}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
