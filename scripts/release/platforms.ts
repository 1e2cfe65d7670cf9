/** The machines that a release supports. */

/** One machine under each packager's name for it; null if the packager does not support it. */
export interface Platform {
  /** As in file names. */
  name: string;
  /** Bun's name for it. */
  target: string;
  executable: "execcomp" | "execcomp.exe";
  archive: "tar.gz" | "zip";
  /** `os`, `cpu` and `libc` of package.json, by which npm selects the package. */
  npm: { os: string; cpu: string; libc?: string };
  /** Platform tag of the Python wheel. */
  wheel: string;
  deb: string | null;
  /** Architecture of the container image. */
  oci: "amd64" | "arm64" | null;
  /** Platform of the MCP bundle. */
  mcpb: "darwin" | "linux" | "win32" | null;
}

/** @param name system, processor and, for Linux without glibc, its C library */
function platformOf(name: string, target: string, wheel: string, more: Partial<Platform> = {}): Platform {
  const [system = "", cpu = "", libc = "glibc"] = name.split("-");
  const os = { macos: "darwin", windows: "win32" }[system] ?? system;
  const npm = { os, cpu, ...(os === "linux" ? { libc } : {}) };
  const none = { deb: null, oci: null, mcpb: null };
  return { name, target, executable: "execcomp", archive: "tar.gz", npm, wheel, ...none, ...more };
}

/**
 * Bun has one executable for x64: it needs only SSE 4.2 (a processor of 2008) and uses AVX2 if available at run time,
 * so a baseline and a modern build would have the same bytes.
 */
export const PLATFORMS: readonly Platform[] = [
  platformOf("linux-x64", "bun-linux-x64-baseline", "manylinux_2_17_x86_64.manylinux2014_x86_64", {
    deb: "amd64",
    oci: "amd64",
    mcpb: "linux",
  }),
  platformOf("linux-arm64", "bun-linux-arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64", {
    deb: "arm64",
    oci: "arm64",
    mcpb: "linux",
  }),
  platformOf("linux-x64-musl", "bun-linux-x64-musl", "musllinux_1_2_x86_64"),
  platformOf("linux-arm64-musl", "bun-linux-arm64-musl", "musllinux_1_2_aarch64"),
  platformOf("macos-arm64", "bun-darwin-arm64", "macosx_13_0_arm64", { mcpb: "darwin" }),
  platformOf("macos-x64", "bun-darwin-x64", "macosx_13_0_x86_64", { mcpb: "darwin" }),
  platformOf("windows-x64", "bun-windows-x64", "win_amd64", {
    executable: "execcomp.exe",
    archive: "zip",
    mcpb: "win32",
  }),
];

/** The platform of that name; `native` is this machine's. @throws Error if there is none */
export function requirePlatform(name: string): Platform {
  if (name === "native") return nativePlatform();
  const found = PLATFORMS.find((one) => one.name === name);
  if (found === undefined)
    throw new Error(`no platform "${name}"; there is ${PLATFORMS.map((one) => one.name).join(", ")}`);
  return found;
}

/** The platform of this machine. */
export function nativePlatform(): Platform {
  const os =
    { linux: "linux", darwin: "macos", win32: "windows" }[process.platform as string] ?? process.platform;
  return requirePlatform(`${os}-${process.arch}`);
}
