import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** What happens to statements whose answer a relay loses: PostgreSQL executes them, or never receives them. */
export type Fate = "committed" | "not committed";

/** A TCP port in front of a PostgreSQL that loses the answer to one statement, together with its connection. */
export interface PostgresRelay {
  /** The same database through the relay. */
  url: string;
  /**
   * Loses the answer to the next statement that matches. Within a transaction the pattern is matched against all of its
   * statements so far: `/INSERT INTO ledger[^]*COMMIT$/` is the commit of a charge.
   *
   * @returns resolves when it is lost
   */
  lose(statements: RegExp, fate: Fate): Promise<void>;
  /** Ends every connection and accepts no more, or accepts them again. */
  refuse(which: "all" | "none"): void;
  close(): void;
}

interface Armed {
  statements: RegExp;
  fate: Fate;
  done(): void;
}

/** @param target of the database itself, without TLS */
export async function startPostgresRelay(target: string): Promise<PostgresRelay> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let armed: Armed | null = null;
  let isRefusing = false;
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy();
    const far = connect(Number(port), hostname);
    const end = () => {
      for (const socket of [near, far]) {
        socket.destroy();
        open.delete(socket);
      }
    };
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true).on("error", end).on("close", end);
    }
    const take = (statements: string): Armed | null => {
      const taken = armed?.statements.test(statements) === true ? armed : null;
      if (taken !== null) armed = null;
      return taken;
    };
    relay(near, far, take, end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  // For a server on TCP it is never a path.
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    lose(statements, fate) {
      const { promise, resolve } = Promise.withResolvers<void>();
      armed = { statements, fate, done: resolve };
      return promise;
    },
    refuse(which) {
      isRefusing = which === "all";
      if (isRefusing) for (const socket of open) socket.destroy();
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** @see PostgreSQL's documentation, "Frontend/Backend Protocol" */
function relay(near: Socket, far: Socket, take: (statements: string) => Armed | null, end: () => void): void {
  const asked = new Questions();
  let answered = 0;
  let lost: { armed: Armed; before: number } | null = null;
  const questions = messageSplitter("startup");
  near.on("data", (chunk) => {
    for (const message of questions(chunk)) {
      const before = asked.count;
      const statements = asked.add(message);
      const armed = statements === null || lost !== null ? null : take(statements);
      if (armed?.fate === "not committed") {
        end();
        return armed.done();
      }
      if (armed !== null) lost = { armed, before };
      far.write(message);
    }
  });
  const answers = messageSplitter("messages");
  far.on("data", (chunk) => {
    for (const message of answers(chunk)) {
      const isLost = lost !== null && answered >= lost.before;
      if (typeOf(message) === "Z") answered += 1;
      if (!isLost) near.write(message);
      else if (typeOf(message) === "Z") {
        end();
        return lost?.armed.done();
      }
    }
  });
}

/** The statements of a client on one connection. */
class Questions {
  /** Each is answered by one `ReadyForQuery`; the first is the login. */
  count = 1;
  private readonly prepared = new Map<string, string>();
  private transaction: string | null = null;

  /**
   * @returns the statements of the transaction up to this one, or only this one outside a transaction; null if it is
   * not a statement
   */
  add(message: Buffer): string | null {
    const type = typeOf(message);
    if (type === "S" || type === "Q") this.count += 1;
    const [first = "", second = ""] = message.subarray(5).toString("latin1").split("\0", 2);
    if (type === "Q") return this.execute(first);
    if (type === "P") this.prepared.set(first, second);
    return type === "B" ? this.execute(this.prepared.get(second) ?? "") : null;
  }

  private execute(text: string): string {
    const statements = this.transaction === null ? text : `${this.transaction}\n${text}`;
    if (/^(COMMIT|ROLLBACK)/.test(text)) this.transaction = null;
    else if (this.transaction !== null || text.startsWith("BEGIN")) this.transaction = statements;
    return statements;
  }
}

function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0);
}

/** Complete messages from a stream of chunks: a one-byte type, then a length; a client's first message has no type. */
function messageSplitter(begins: "startup" | "messages"): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0);
  let typeBytes = begins === "startup" ? 0 : 1;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= typeBytes + 4) {
      const length = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < length) break;
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      typeBytes = 1;
    }
    return messages;
  };
}
