/**
 * The service manager that started the server and wants to be notified of its state: systemd, which reads datagrams on a socket
 * it names. They can be sent from here only through the C library. @see sd_notify(3)
 */
import { readSupervision } from "../../config.ts";

/**
 * Notifies the service manager that the server is ready, and from then on that it is alive.
 * @returns a function that notifies it that the server is stopping; requests in flight are finished
 */
export type Supervisor = () => () => void;

const AF_UNIX = 1;
const SOCK_DGRAM_CLOEXEC = 2 | 0o2000000;
/** Family, then 108 bytes of a path. @see unix(7) */
const ADDRESS_BYTES = 110;

/** The service manager according to the environment. The C library is loaded only if there is one. */
export async function findSupervisor(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<Supervisor> {
  const { notifySocket, watchdogMs } = readSupervision(environment);
  if (notifySocket === null || process.platform !== "linux") return () => () => {};
  const send = await datagramSender(notifySocket);
  return () => {
    send("READY=1");
    // Twice per timeout, as systemd's manual advises.
    const alive = watchdogMs === null ? undefined : setInterval(() => send("WATCHDOG=1"), watchdogMs / 2);
    return () => {
      clearInterval(alive);
      send("STOPPING=1");
    };
  };
}

/** Sends each text as a datagram. Send errors are ignored: systemd notices missing notifications on its own. */
async function datagramSender(path: string): Promise<(text: string) => void> {
  const { dlopen, ptr } = await import("bun:ffi");
  const { symbols } = openLibrary(dlopen);
  const name = Buffer.from(path.replace(/^@/, "\0"));
  if (name.length >= ADDRESS_BYTES - 2) return () => {};
  const address = Buffer.alloc(ADDRESS_BYTES);
  address.writeUInt16LE(AF_UNIX, 0);
  name.copy(address, 2);
  const length = name.length + 2 + (path.startsWith("@") ? 0 : 1);
  return (text) => {
    const socket = symbols.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
    if (socket < 0) return;
    const bytes = Buffer.from(text);
    symbols.sendto(socket, ptr(bytes), bytes.length, 0, ptr(address), length);
    symbols.close(socket);
  };
}

const SYMBOLS = {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  sendto: { args: ["i32", "ptr", "usize", "i32", "ptr", "u32"], returns: "i64" },
  close: { args: ["i32"], returns: "i32" },
} as const;

/** The system's C library: glibc, otherwise musl. */
function openLibrary(dlopen: typeof import("bun:ffi").dlopen) {
  try {
    return dlopen("libc.so.6", SYMBOLS);
  } catch {
    const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
    return dlopen(`libc.musl-${machine}.so.1`, SYMBOLS);
  }
}
