/**
 * Open-loop load: requests are due at planned times whatever happens, and latency counts from then, so that a stalled
 * server is charged for every caller who would have sent a request in the meantime.
 */

/** A request that is due. */
export interface Planned {
  /** The name under which it is reported. */
  kind: string;
  bytes: Uint8Array;
}

/** The result of a run, in ms. */
export interface OpenLoop {
  /** From when a request was due to the last byte of its response, by kind. */
  latencies: ReadonlyMap<string, readonly number[]>;
  /** How many were due, and therefore sent, during the run. */
  offered: number;
  /** The sending delay of this process: its own share of the latencies. */
  lateness: readonly number[];
  /** Statuses other than 2xx and broken connections, with their counts. */
  refused: ReadonlyMap<string, number>;
}

/** The settings of a run. */
export interface OpenLoopOptions {
  perSecond: number;
  seconds: number;
  connections: number;
}

interface Due {
  planned: Planned;
  dueMs: number;
}

/** Reads responses in sequence, with a declared length or in chunks. */
class AnswerReader {
  private held: Buffer | null = null;

  /** @returns the status of the response that ended with these bytes; null if it has not ended */
  take(chunk: Buffer): number | null {
    const all = this.held === null ? chunk : Buffer.concat([this.held, chunk]);
    const status = statusOf(all);
    // The socket reuses the buffer that it passes in.
    this.held = status === null ? (this.held === null ? Buffer.from(chunk) : all) : null;
    return status;
  }
}

/** The status of a complete response. */
function statusOf(bytes: Buffer): number | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = bytes.toString("latin1", 0, end);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  const isWhole =
    length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)
      ? bytes.toString("latin1", bytes.length - 5) === "0\r\n\r\n"
      : bytes.length >= end + 4 + Number(length ?? 0);
  return isWhole ? Number(head.slice(9, 12)) : null;
}

/** Puts load on a server. Arrivals are those of many independent callers: a Poisson process. */
export async function openLoop(
  origin: URL,
  next: () => Planned,
  { perSecond, seconds, connections }: OpenLoopOptions,
): Promise<OpenLoop> {
  const latencies = new Map<string, number[]>();
  const lateness: number[] = [];
  const refused = new Map<string, number>();
  const count = (what: string) => void refused.set(what, (refused.get(what) ?? 0) + 1);
  const free: Connection[] = [];
  const queue: Due[] = [];
  const ended = ({ planned: { kind }, dueMs }: Due, status: number) => {
    if (status < 200 || status > 299) return count(`${kind} ${status}`);
    const all = latencies.get(kind) ?? [];
    all.push(performance.now() - dueMs);
    latencies.set(kind, all);
  };
  const open = await Promise.all(
    Array.from({ length: connections }, () =>
      connect(origin, (connection, due, status) => {
        if (due !== null) ended(due, status);
        free.push(connection);
      }),
    ),
  );
  free.push(...open);
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const gapMs = 1000 / perSecond;
  let dueMs = startMs;
  let sent = 0;
  for (;;) {
    const nowMs = performance.now();
    for (; dueMs <= nowMs && dueMs < endMs; dueMs += -Math.log(1 - Math.random()) * gapMs) {
      queue.push({ planned: next(), dueMs });
      lateness.push(nowMs - dueMs);
    }
    for (let due = queue[sent]; due !== undefined; due = queue[sent]) {
      const connection = free.pop();
      if (connection === undefined) break;
      sent += 1;
      connection.send(due);
    }
    const isOver = dueMs >= endMs && free.length === open.length && sent === queue.length;
    if (isOver || nowMs > endMs + GIVE_UP_MS) break;
    await new Promise<void>((turn) => setImmediate(turn));
  }
  if (sent < queue.length || free.length < open.length) count("unanswered");
  for (const connection of open) connection.end();
  return { latencies, offered: queue.length, lateness, refused };
}

/** How long to wait for responses after the end. */
const GIVE_UP_MS = 5_000;

interface Connection {
  send(due: Due): void;
  end(): void;
}

async function connect(
  origin: URL,
  done: (connection: Connection, due: Due | null, status: number) => void,
): Promise<Connection> {
  const reader = new AnswerReader();
  let current: Due | null = null;
  const socket = await Bun.connect({
    hostname: origin.hostname,
    port: Number(origin.port),
    socket: {
      data(_socket, chunk) {
        const status = reader.take(chunk);
        if (status === null) return;
        const due = current;
        current = null;
        done(connection, due, status);
      },
      close() {
        if (current !== null) done(connection, current, 0);
        current = null;
      },
    },
  });
  const connection: Connection = {
    send(due) {
      current = due;
      socket.write(due.planned.bytes);
    },
    end: () => void socket.end(),
  };
  return connection;
}
