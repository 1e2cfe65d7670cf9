/** Raw bytes on a connection, for requests that no HTTP client would send. */

/** The result of a raw exchange. */
export interface RawAnswer {
  /** 0 if the server closed the connection without a response. */
  status: number;
  headers: Headers;
  body: string;
}

/** Time limit for one response. */
const PATIENCE_MS = 10_000;

/** Sends text unchanged and reads until the server closes, or is silent after a complete response. */
export async function rawExchange(port: number, text: string): Promise<RawAnswer> {
  const closed = Promise.withResolvers<void>();
  let received = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (opened) => void opened.write(Buffer.from(text, "latin1")),
      data(_socket, bytes) {
        received += bytes.toString("latin1");
        if (isWhole(received)) closed.resolve();
      },
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  });
  const timer = setTimeout(() => closed.resolve(), PATIENCE_MS);
  await closed.promise;
  clearTimeout(timer);
  socket.end();
  return readAnswer(received);
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /^content-length: (\d+)/im.exec(text.slice(0, end))?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}

function readAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines)
    headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1));
  return { status: Number(first.split(" ")[1] ?? 0), headers, body: rest.join("\r\n\r\n") };
}
