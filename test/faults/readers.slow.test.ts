import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

const script = join(dirname(dirname(import.meta.dir)), "scripts", "fuzz", "readers.ts");

// A process's memory is known on Linux only.
test.skipIf(process.platform !== "linux")(
  "1,000 clients that never read leave the server under 200 MB, and others are answered",
  async () => {
    const child = Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "inherit" });
    const said = await new Response(child.stdout).text();
    expect(said).toContain("script: 1000 readers of 1.");
    expect([await child.exited, said]).toEqual([0, expect.stringContaining("0 violations")]);
  },
  300_000,
);
