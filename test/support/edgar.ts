/**
 * EDGAR on loopback: answers from a corpus as EDGAR would, and misbehaves on demand. A document that is not in the
 * corpus is 404.
 */
import { connect, createServer, type Socket } from "node:net";

/** The contents of a replayed EDGAR. Bodies are generated on demand, so that a large corpus takes no memory. */
export interface Corpus {
  /** Responses of the data host, by file name: `CIK0000037996.json` and older pages. */
  submission(name: string): Promise<{ bytes: Uint8Array; headers: Record<string, string> } | null>;
  /** A document by registrant (no padding), accession (no dashes) and file name. */
  document(cik: string, accession: string, file: string): Promise<Uint8Array | null>;
  /** Lines of `master.idx` for a quarter: `CIK|name|form|date|path`. */
  master(year: number, quarter: number): Promise<readonly string[]>;
  /** A frame of the data host, by tag and period: `PeoTotalCompAmt`, `CY2024`; no frames by default. */
  frame?(tag: string, period: string): Promise<Uint8Array | null>;
  /** `company_tickers_exchange.json`. */
  tickers(): Promise<Uint8Array | null>;
}

/** A fault to commit. */
export type Fault =
  | "block-page"
  | "block-page-200"
  | "429"
  | "503"
  | "truncated"
  | "cut-length"
  | "invalid-body"
  | "broken-coding"
  | "broken-gzip"
  | "redirect-away"
  | "redirect-home"
  | "slow"
  | "reset";

/** One request that reached the server. */
export interface Seen {
  path: string;
  headers: Headers;
  status: number;
}

/** A replayed EDGAR. */
export interface ReplayEdgar extends AsyncDisposable {
  /** Serves documents and indexes. */
  wwwUrl: string;
  /** Serves submissions. */
  dataUrl: string;
  /** The same without the fault-injecting socket in front, for benchmarks. */
  straightUrl: string;
  seen: Seen[];
  /** The next `times` requests whose path matches get this fault instead of a response. */
  misbehave(path: RegExp, fault: Fault, times?: number): void;
  /** From now on the document at that path has different bytes and another ETag. */
  change(path: string, bytes: Uint8Array): void;
  /** Holds back responses until the returned function is called. */
  hold(path: RegExp): () => void;
  stop(): Promise<void>;
}

interface Trouble {
  path: RegExp;
  fault: Fault;
  left: number;
}

const BLOCK_PAGE = `<!DOCTYPE html><html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head>
<body><h1>Request Rate Threshold Exceeded</h1><p>Your request rate has exceeded the SEC's maximum allowable requests per second.</p></body></html>`;

/** Starts a replayed EDGAR on a free port of loopback. */
export async function startReplay(corpus: Corpus): Promise<ReplayEdgar> {
  const seen: Seen[] = [];
  const troubles: Trouble[] = [];
  const changed = new Map<string, Uint8Array>();
  const holds: { path: RegExp; until: Promise<void> }[] = [];

  const behind = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const answer = await respond(request, pathname);
      seen.push({ path: pathname, headers: request.headers, status: answer.status });
      return answer;
    },
  });
  const front = await startFront(behind.port ?? 0, (path) => rawFault(path));

  function takeTrouble(path: string, kinds: readonly Fault[]): Trouble | undefined {
    const found = troubles.find((one) => one.left > 0 && one.path.test(path) && kinds.includes(one.fault));
    if (found !== undefined) found.left--;
    return found;
  }

  /** Faults that a correct HTTP server cannot commit are written directly to the socket. */
  function rawFault(path: string): Fault | null {
    const found = takeTrouble(path, ["truncated", "cut-length", "reset", "slow"]);
    if (found === undefined) return null;
    seen.push({ path, headers: new Headers(), status: 0 });
    return found.fault;
  }

  async function respond(request: Request, path: string): Promise<Response> {
    await Promise.all(holds.filter((one) => one.path.test(path)).map((one) => one.until));
    const html = { "content-type": "text/html" };
    const agent = request.headers.get("user-agent") ?? "";
    if (!agent.includes("@")) return new Response(BLOCK_PAGE, { status: 403, headers: html });
    const faults: Fault[] = [
      "block-page",
      "block-page-200",
      "429",
      "503",
      "invalid-body",
      "broken-coding",
      "broken-gzip",
    ];
    const failure = takeTrouble(path, [...faults, "redirect-away", "redirect-home"]);
    if (failure !== undefined) {
      switch (failure.fault) {
        case "block-page":
          return new Response(BLOCK_PAGE, { status: 403, headers: html });
        case "block-page-200":
          return new Response(BLOCK_PAGE, { headers: html });
        case "429":
          return new Response("slow down", { status: 429 });
        case "503":
          return new Response("<html><body>Service unavailable</body></html>", {
            status: 503,
            headers: html,
          });
        case "broken-coding":
          return new Response(BROKEN_GZIP, { headers: { ...html, "content-encoding": "gzip" } });
        case "broken-gzip":
          return new Response(BROKEN_GZIP, { headers: { "content-type": "application/x-gzip" } });
        case "redirect-away":
          return new Response(null, {
            status: 302,
            headers: { location: "http://elsewhere.invalid/document.htm" },
          });
        case "redirect-home":
          return new Response(null, { status: 301, headers: { location: path } });
        default:
          return new Response("\u0000\u0001 not what you asked for");
      }
    }
    const found = await find(path);
    if (found === null) return new Response("<html><body>Not found</body></html>", { status: 404 });
    return send(request, found.bytes, found.headers);
  }

  async function find(path: string) {
    const submission = /^\/submissions\/(CIK[\w-]+\.json)$/.exec(path)?.[1];
    if (submission !== undefined) return corpus.submission(submission);
    const frame = /^\/api\/xbrl\/frames\/ecd\/(\w+)\/USD\/(CY\d{4})\.json$/.exec(path);
    if (frame !== null) {
      const bytes = (await corpus.frame?.(frame[1] ?? "", frame[2] ?? "")) ?? null;
      return bytes === null ? null : { bytes, headers: { "content-type": "application/json" } };
    }
    const quarter = /^\/Archives\/edgar\/full-index\/(\d{4})\/QTR([1-4])\/master\.gz$/.exec(path);
    if (quarter !== null) return index(await corpus.master(Number(quarter[1]), Number(quarter[2])));
    if (path === "/files/company_tickers_exchange.json") {
      const bytes = await corpus.tickers();
      return bytes === null ? null : { bytes, headers: { "content-type": "application/json" } };
    }
    const document = /^\/Archives\/edgar\/data\/(\d+)\/(\d{18})\/(.+)$/.exec(path);
    if (document === null) return null;
    const [, cik = "", accession = "", name = ""] = document;
    const file = decodeURIComponent(name);
    const bytes = changed.get(path) ?? (await corpus.document(cik, accession, file));
    if (bytes === null) return null;
    return { bytes, headers: { "content-type": "text/html", etag: `"${Bun.hash(bytes).toString(16)}"` } };
  }

  const url = `http://127.0.0.1:${front.port}`;
  const stop = async () => {
    front.close();
    await behind.stop(true);
  };
  return {
    wwwUrl: url,
    dataUrl: `http://localhost:${front.port}`,
    straightUrl: `http://127.0.0.1:${behind.port}`,
    seen,
    misbehave: (path, fault, times = 1) => void troubles.push({ path, fault, left: times }),
    change: (path, bytes) => void changed.set(path, bytes),
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const one = { path, until: promise };
      holds.push(one);
      return () => {
        holds.splice(holds.indexOf(one), 1);
        resolve();
      };
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function index(lines: readonly string[]) {
  const head =
    "Description: Master Index of EDGAR Dissemination Feed\n\nCIK|Company Name|Form Type|Date Filed|Filename\n";
  const text = `${head}${"-".repeat(80)}\n${lines.join("\n")}\n`;
  return { bytes: Bun.gzipSync(text), headers: { "content-type": "application/x-gzip" } };
}

function send(request: Request, bytes: Uint8Array, headers: Record<string, string>): Response {
  const etag = headers["etag"];
  if (etag !== undefined && request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers: { etag } });
  }
  const packed =
    /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "") &&
    !/gzip/.test(headers["content-type"] ?? "");
  if (!packed) return new Response(new Uint8Array(bytes), { headers });
  const small = Bun.gzipSync(new Uint8Array(bytes), { level: 1 });
  return new Response(small, { headers: { ...headers, "content-encoding": "gzip" } });
}

/** The beginning of gzip data, and then something else. */
const BROKEN_GZIP = new Uint8Array([...Bun.gzipSync("x").slice(0, 10), ...Bun.gzipSync("y")]);

/** A socket in front of the server that passes everything through or commits a fault. */
function startFront(
  port: number,
  fault: (path: string) => Fault | null,
): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>();
  const server = createServer((caller) => {
    open.add(caller);
    caller.on("error", () => caller.destroy());
    caller.on("close", () => open.delete(caller));
    caller.once("data", (head) => {
      const path = /^\w+ (\S+)/.exec(head.toString("latin1"))?.[1] ?? "";
      const kind = fault(path);
      if (kind !== null) return commit(caller, kind);
      // One request per connection, so that every request is inspected.
      const text = head
        .toString("latin1")
        .replace(/\r\nConnection: [^\r]*/i, "")
        .replace("\r\n", "\r\nConnection: close\r\n");
      const server = connect(port, "127.0.0.1", () => void server.write(text, "latin1"));
      open.add(server);
      server.on("close", () => open.delete(server));
      server.on("error", () => caller.destroy());
      server.pipe(caller);
      caller.on("data", (more) => void server.write(more));
    });
  });
  return new Promise((resolve) => {
    server.listen(0, () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : 0,
        close() {
          server.close();
          for (const socket of open) socket.destroy();
        },
      });
    });
  });
}

function commit(caller: Socket, fault: Fault): void {
  const body = "<html><body><p>The beginning of a document";
  const head = (length: number) =>
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
  if (fault === "truncated") caller.end(head(100_000) + body);
  else if (fault === "cut-length") caller.end(head(body.length - 5) + body);
  else if (fault === "reset") caller.resetAndDestroy();
  else caller.write(head(100_000) + body); // slow: the rest never comes
}
