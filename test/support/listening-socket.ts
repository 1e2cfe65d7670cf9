import { dlopen, ptr } from "bun:ffi";

const AF_INET = 2;
const SOCK_STREAM = 1;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const BACKLOG = 512;

/** A listening socket of this process that children can be handed, as a service manager holds one. */
export interface ListeningSocket extends Disposable {
  fd: number;
  port: number;
}

/** Opens one on a free port of 127.0.0.1, by the C library: no listener of the runtime shows its descriptor. */
export function openListeningSocket(): ListeningSocket {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    listen: { args: ["i32", "i32"], returns: "i32" },
    getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
  });
  const fd = symbols.socket(AF_INET, SOCK_STREAM, 0);
  const on = Buffer.from([1, 0, 0, 0]);
  symbols.setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, ptr(on), on.length);
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET, 0);
  address.set([127, 0, 0, 1], 4);
  const length = Buffer.from([16, 0, 0, 0]);
  const failed = symbols.bind(fd, ptr(address), 16) !== 0 || symbols.listen(fd, BACKLOG) !== 0;
  if (failed || symbols.getsockname(fd, ptr(address), ptr(length)) !== 0) throw new Error("no socket");
  return { fd, port: address.readUInt16BE(2), [Symbol.dispose]: () => void symbols.close(fd) };
}
