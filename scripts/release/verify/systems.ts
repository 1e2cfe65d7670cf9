/** System packages: Debian and the container image. Tested in separate roots. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type } from "arktype";
import { readyOrigin } from "../../bench/harness.ts";
import {
  CannotTry,
  type Check,
  type CheckContext,
  releaseFile,
  requireFile,
  requireText,
  run,
  showsApple,
} from "./check.ts";

/** Runs a command in a bare Debian with /proc, which the runtime reads at startup. */
async function withBareRoot(context: CheckContext, use: (root: string) => Promise<void>): Promise<void> {
  const root = join(context.folder, "root");
  try {
    await run(["debootstrap", "--variant=minbase", "bookworm", root]);
  } catch {
    throw new CannotTry("debootstrap cannot fetch Debian");
  }
  await run(["mount", "-t", "proc", "proc", join(root, "proc")]);
  try {
    await use(root);
  } finally {
    await run(["umount", join(root, "proc")]);
  }
}

/** The Debian package in a bare root: installed, run, removed. */
export const deb: Check = {
  name: "deb",
  needs: ["debootstrap", "dpkg", "chroot"],
  root: true,
  async run(context) {
    const file = releaseFile(context, /_amd64\.deb$/);
    await withBareRoot(context, async (root) => {
      cpSync(file, join(root, "tmp/execcomp.deb"));
      await run(["chroot", root, "dpkg", "--install", "/tmp/execcomp.deb"]);
      await requireInstalled(root);
      // No file on disk differs from the package.
      requireEmpty(await run(["chroot", root, "dpkg", "--verify", "execcomp"]));
      await run(["chroot", root, "dpkg", "--purge", "execcomp"]);
      if (existsSync(join(root, "usr/bin/execcomp"))) throw new Error("dpkg --purge left the executable");
      requireFile(join(root, "var/lib/execcomp"));
    });
  },
};

async function requireInstalled(root: string): Promise<void> {
  requireFile(join(root, "usr/lib/systemd/system/execcomp.service"));
  requireFile(join(root, "usr/share/man/man1/execcomp.1.gz"));
  requireText(await run(["chroot", root, "stat", "-c", "%U %a", "/var/lib/execcomp"]), "execcomp 750");
  const asUser = ["chroot", "--userspec=execcomp:execcomp", root, "/usr/bin/env"];
  await showsApple([...asUser, "EXECCOMP_DATA_DIR=/var/lib/execcomp", "execcomp"]);
}

function requireEmpty(text: string): void {
  if (text.trim() !== "") throw new Error(`files differ from the package: ${text.trim()}`);
}

// All other properties are passed through.
const RuntimeConfig = type({
  "+": "ignore",
  process: { user: { uid: "number" }, env: "string[]", args: "string[]" },
  root: { path: "string" },
  mounts: "object[]",
  linux: { namespaces: type({ type: "string" }).array() },
});

/** The image as a bundle of the OCI runtime. @returns its folder */
async function unpackImage(context: CheckContext): Promise<string> {
  const file = releaseFile(context, /-image\.tar$/);
  const [bundle, layout] = [join(context.folder, "bundle"), `${join(context.folder, "oci")}:it`];
  await run(["skopeo", "copy", "--quiet", `oci-archive:${file}`, `oci:${layout}`]);
  await run(["umoci", "unpack", "--image", layout, bundle]);
  return bundle;
}

/**
 * The image: unpacked, started with a read-only root by an unnamed user, requested over HTTP and by its health check.
 */
export const image: Check = {
  name: "image",
  needs: ["skopeo", "umoci", "runc"],
  root: true,
  async run(context) {
    const bundle = await unpackImage(context);
    const name = `execcomp-verify-${process.pid}`;
    restrict(join(bundle, "config.json"));
    const child = Bun.spawn(["runc", "run", "--bundle", bundle, name], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    try {
      const origin = await readyOrigin(child.stdout);
      requireText(await facts(origin), "74294811");
      await run(["runc", "exec", name, "/usr/bin/execcomp", "get", "/readyz", "--url", origin]);
      await showsApple(["runc", "exec", name, "/usr/bin/execcomp"]);
      await run(["runc", "kill", name, "TERM"]);
      if ((await child.exited) !== 0)
        throw new Error(`it ended with ${child.exitCode} when it was told to stop`);
    } finally {
      child.kill("SIGKILL");
    }
  },
};

async function facts(origin: string): Promise<string> {
  // Any free port; callers use the server's public name.
  const answer = await fetch(`${origin}/t/AAPL/facts`, { headers: { host: new URL(PUBLIC_URL).host } });
  return answer.text();
}

const PUBLIC_URL = "http://localhost:8402";

/** Read-only root, memory for /data, no new privileges, the host's network: as in docs/install.md. */
function restrict(file: string): void {
  const config = RuntimeConfig.assert(JSON.parse(readFileSync(file, "utf8")));
  const all: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"));
  const { process: started, linux, mounts } = config;
  const { uid } = started.user;
  if (uid === 0) throw new Error("the image runs as root");
  const env = [...started.env, `EXECCOMP_PUBLIC_URL=${PUBLIC_URL}`, "EXECCOMP_PORT=0"];
  const data = {
    destination: "/data",
    type: "tmpfs",
    source: "tmpfs",
    options: ["nosuid", "nodev", "mode=0700", `uid=${uid}`, `gid=${uid}`],
  };
  const namespaces = linux.namespaces.filter((one) => one.type !== "network" && one.type !== "cgroup");
  const changed = {
    ...all,
    root: { path: config.root.path, readonly: true },
    process: { ...(all["process"] as object), env, terminal: false, noNewPrivileges: true },
    mounts: [...mounts.filter((one) => !("type" in one && one.type === "cgroup")), data],
    linux: { ...(all["linux"] as object), namespaces, resources: {} },
  };
  mkdirSync(join(file, "..", "rootfs", "data"), { recursive: true });
  writeFileSync(file, JSON.stringify(changed));
}
