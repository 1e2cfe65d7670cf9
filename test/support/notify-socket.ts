import { dlopen, ptr } from "bun:ffi";

/** A datagram socket like systemd's. */
export function openNotifySocket(path: string) {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    recv: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const address = Buffer.alloc(110);
  address.writeUInt16LE(1, 0);
  Buffer.from(path).copy(address, 2);
  const socket = symbols.socket(1, 2, 0);
  if (symbols.bind(socket, ptr(address), 2 + Buffer.byteLength(path) + 1) !== 0)
    throw new Error(`cannot bind ${path}`);
  const received: string[] = [];
  const DONT_WAIT = 0x40;
  const buffer = Buffer.alloc(1000);
  const read = () => {
    for (;;) {
      const size = Number(symbols.recv(socket, ptr(buffer), buffer.length, DONT_WAIT));
      if (size < 0) return received;
      received.push(buffer.toString("utf8", 0, size));
    }
  };
  return { read, close: () => symbols.close(socket) };
}
