import { dlopen, ptr } from "bun:ffi";

const AF_UNIX = 1;
const AF_INET = 2;
const SOCK_STREAM = 1;
const BACKLOG = 512;

/** A listening socket of this process that children can inherit, as from a service manager. */
export interface ListeningSocket extends Disposable {
  fd: number;
  /** Zero for a Unix socket. */
  port: number;
}

/**
 * Opens one with the C library, because no listener of the runtime exposes its descriptor.
 *
 * @param path of a Unix socket; default a free port of 127.0.0.1
 */
export function openListeningSocket(path: string | null = null): ListeningSocket {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    listen: { args: ["i32", "i32"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
  });
  const fd = symbols.socket(path === null ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
  const address = Buffer.alloc(path === null ? 16 : 3 + path.length);
  address.writeUInt16LE(path === null ? AF_INET : AF_UNIX, 0);
  if (path === null) address.set([127, 0, 0, 1], 4);
  else address.write(path, 2);
  const isOpen = symbols.bind(fd, ptr(address), address.length) === 0 && symbols.listen(fd, BACKLOG) === 0;
  if (!isOpen) throw new Error("no socket to listen on");
  if (path === null) symbols.getsockname(fd, ptr(address), ptr(Buffer.from([16, 0, 0, 0])));
  return {
    fd,
    port: path === null ? address.readUInt16BE(2) : 0,
    [Symbol.dispose]: () => void symbols.close(fd),
  };
}
