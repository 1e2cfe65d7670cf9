/** The server's listener: a TCP port, or a Unix socket for a proxy on the same machine. */
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  readFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf, messageOf, OperatorError } from "../../errors.ts";
import { requireFolder } from "../../files.ts";
import { refusal } from "../../http/refusals.ts";
import { SOCKET_PEER } from "../../http/addresses.ts";
import type { Log } from "../../log.ts";
import type { PendingRequests } from "./in-flight.ts";

/** Answers one request. */
type Answerer = (request: Request) => Promise<Response> | Response;

/** Where to listen. */
export interface ListenSettings {
  host: string;
  port: number;
  /** Path of a Unix socket, used in place of host and port; empty for none. */
  socket: string;
  /** Files of the certificate chain and its key; both empty for plain HTTP. */
  tlsCert: string;
  tlsKey: string;
}

/** Timeouts of slow responses. A connection that is idle for half a minute is closed otherwise. */
export interface Connections {
  /**
   * Extends the timeout while the response is being prepared, to at most a minute. Only for requests without a body, so
   * that slow senders get no extra time.
   */
  keep(request: Request): void;
  /** Lets a request take minutes. Only for an owner's. */
  allowMinutes(request: Request): void;
  /** Restores the timeout once the response is ready, so that slow readers get no extra time. */
  release(request: Request): void;
}

/** An open listener. */
export interface Listener extends PendingRequests, Connections {
  /** 0 for a Unix socket. */
  port: number;
  /** Starts answering, including requests that are already waiting. */
  answerWith(answer: Answerer): void;
  /**
   * Switches callers to this socket. A TCP port is reachable from the start.
   * @returns a function that switches back to the previous socket
   */
  publish(): () => void;
  /**
   * Reloads the certificate and key, if there are any. Connections being established may be reset.
   * @throws OperatorError if they are unusable; the old ones stay in use
   */
  renewCertificate(): Promise<void>;
  /** Stops accepting connections, lets responses in flight finish (for at most `graceMs`), then closes. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Bun's own body limit, far above ours: Bun answers it with an empty 413, we answer ours with the flat envelope. Unread
 * bodies are not buffered.
 */
const LISTENER_BODY_BYTES = 1024 ** 4;

/**
 * Idle timeout of a connection in seconds, which includes requests being answered: longer than a charge takes while a
 * database fails over. Bun's default of 10 closed the connection during such a charge, and client libraries retried it.
 */
const QUIET_SECONDS = 30;

/** Seconds a request may wait for the first response, as long as another server may take to stop. */
const WAIT_SECONDS = 60;
/** Seconds a response may take to prepare, for queries across companies on few cores. */
const ANSWER_SECONDS = 60;

/**
 * Opens a listener.
 *
 * @throws OperatorError when the address is taken, naming the flag to change
 */
// oxlint-disable-next-line max-lines-per-function -- its methods share the server, which a new certificate replaces
export function listen(settings: ListenSettings, log: Log): Listener {
  checkListenSettings(settings);
  const first = Promise.withResolvers<Answerer>();
  let answer: Answerer | undefined;
  const waiting = async (request: Request) => (await first.promise)(request);
  const path = settings.socket === "" ? null : ownPath(settings.socket);
  const options: ServeOptions = {
    // Otherwise Bun answers bugs with a page that shows source paths and lines.
    development: false,
    maxRequestBodySize: LISTENER_BODY_BYTES,
    error(error: Error) {
      log.error("internal_error", { error: error.stack ?? String(error) });
      return refusal(500, "Internal error. Please report it to the operator.");
    },
    fetch(request, listening) {
      // A Unix socket has no default timeout for all connections.
      if (path !== null) listening.timeout(request, answer === undefined ? WAIT_SECONDS : QUIET_SECONDS);
      return (answer ?? waiting)(request);
    },
  };
  const open = (port: number) =>
    path === null
      ? listenOnPort({ ...settings, port }, readTls(settings), options)
      : listenOnSocket(path, options);
  let server = open(settings.port);
  return {
    port: server.port ?? 0,
    peerOf: (request) => (path === null ? (server.requestIP(request)?.address ?? "unknown") : SOCKET_PEER),
    pending: () => server.pendingRequests,
    // Bun knows a request's peer only while the request is in flight. On a Unix socket it never does; there the proxy
    // absorbs slow readers, and the limit per address does not apply.
    isFinished: (request) => server.requestIP(request) === null,
    keep: (request) => server.timeout(request, ANSWER_SECONDS),
    allowMinutes: (request) => server.timeout(request, OWNER_SECONDS),
    release: (request) => server.timeout(request, QUIET_SECONDS),
    answerWith(answerer) {
      answer = answerer;
      first.resolve(answerer);
    },
    async renewCertificate() {
      if (settings.tlsCert === "") return;
      const before = server;
      server = open(before.port ?? settings.port);
      await before.stop();
    },
    publish: () => (path === null ? () => {} : pointTo(settings.socket, basename(path))),
    async stop(graceMs) {
      await acceptWaiting();
      if (path !== null) withdraw(settings.socket, path);
      await Promise.race([server.stop(), Bun.sleep(graceMs)]);
      await server.stop(true);
      if (path !== null) rmSync(path, { force: true });
    },
  };
}

/** Event loop turns in which waiting connections are accepted. */
const LAST_TURNS = 3;

/**
 * Accepts the connections that are waiting. When a listener is closed, the system resets those still waiting, while
 * later ones are refused and retried elsewhere. Under overload, one shutdown in three still resets a connection;
 * without this, each reset three or four.
 */
async function acceptWaiting(): Promise<void> {
  for (let turn = 0; turn < LAST_TURNS; turn += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}

/** Seconds an owner's action may take: copying a large store, or verifying a large dataset. */
const OWNER_SECONDS = 255;

type ServeOptions = {
  development: boolean;
  maxRequestBodySize: number;
  error(error: Error): Response;
  fetch: (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>;
};

/** Refuses settings that conflict, whatever is free. @throws OperatorError naming the flag to change */
export function checkListenSettings(settings: ListenSettings): void {
  readTls(settings);
  checkSocketPath(settings.socket);
  if (settings.socket !== "" && settings.tlsCert !== "") {
    throw new OperatorError("--socket is for a proxy, which ends TLS itself: drop --tls-cert and --tls-key.");
  }
}

function listenOnPort(
  { host: hostname, port }: ListenSettings,
  tls: Tls | null,
  options: ServeOptions,
): Bun.Server<undefined> {
  try {
    // Off otherwise, because two servers on one port would split the callers. With TLS, a new certificate needs a
    // second listener.
    const settings = { ...options, idleTimeout: QUIET_SECONDS, hostname, port };
    if (tls === null) return Bun.serve({ ...settings, reusePort: false });
    return Bun.serve({ ...settings, reusePort: true, tls });
  } catch (cause) {
    if (codeOf(cause) === "EADDRINUSE") {
      throw new OperatorError(
        `Port ${port} of ${hostname} is in use, perhaps by another execcomp. Choose another with --port, or --port 0 for a free one.`,
      );
    }
    throw new OperatorError(`Cannot listen on ${hostname}:${port} (--host, --port): ${String(cause)}`);
  }
}

/** The system allows 107, with the process id that is appended. */
const MAX_SOCKET_BYTES = 100;

/** Refuses a path at which no socket can be created, or where something else would be lost. @throws OperatorError */
function checkSocketPath(path: string): void {
  if (path === "") return;
  const folder = dirname(resolve(path));
  requireFolder(folder);
  let reason = "something else has this name, which a socket would replace";
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (Buffer.byteLength(path) >= MAX_SOCKET_BYTES)
      reason = `it must be shorter than ${MAX_SOCKET_BYTES} bytes`;
    else if (there === undefined || there.isSymbolicLink() || there.isSocket()) return;
  } catch (cause) {
    reason = messageOf(cause);
  }
  throw new OperatorError(
    `Cannot create a socket at ${path} (--socket): ${reason}. Give a new path in a folder that this user may write to.`,
  );
}

/** For this user and its group, which the proxy's user belongs to. */
const SOCKET_MODE = 0o660;

function listenOnSocket(path: string, options: ServeOptions): Bun.Server<undefined> {
  try {
    rmSync(path, { force: true });
    const server = Bun.serve({ ...options, unix: path });
    chmodSync(path, SOCKET_MODE);
    return server;
  } catch (cause) {
    throw new OperatorError(`Cannot listen on ${path} (--socket): ${messageOf(cause)}.`);
  }
}

/**
 * Each server has its own socket, reached through one symbolic link, so that the next server can listen before this one
 * stops: the link is replaced atomically, and every connection reaches one of the two.
 */
function ownPath(link: string): string {
  return `${link}.${process.pid}`;
}

/**
 * The process id behind the link; null if it is unknown or this process, or if nothing listens there: the id that a dead server left
 * may be another process's by now.
 */
export async function serverBehind(link: string): Promise<number | null> {
  const name = targetOf(link);
  const digits = name === null ? "" : (/\.(\d+)$/.exec(name)?.[1] ?? "");
  if (name === null || digits === "" || Number(digits) === process.pid) return null;
  try {
    const there = await Bun.connect({ unix: join(dirname(link), name), socket: { data() {} } });
    there.end();
    return Number(digits);
  } catch {
    return null;
  }
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** Points the link to a socket. @returns a function that restores the previous target */
function pointTo(link: string, name: string): () => void {
  const before = targetOf(link);
  const next = join(dirname(link), `${basename(name)}.link`);
  rmSync(next, { force: true });
  symlinkSync(name, next);
  renameSync(next, link);
  return () => {
    if (before === null) rmSync(link, { force: true });
    else pointTo(link, before);
  };
}

/** Removes the link, unless another server has taken it. */
function withdraw(link: string, path: string): void {
  if (targetOf(link) === basename(path)) rmSync(link, { force: true });
}

/** A certificate chain and its key, as PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/**
 * Reads both files; null for plain HTTP. @throws OperatorError when one is missing or unreadable, or they do not match
 */
function readTls({ tlsCert, tlsKey }: { tlsCert: string; tlsKey: string }): Tls | null {
  if (tlsCert === "" && tlsKey === "") return null;
  if (tlsCert === "" || tlsKey === "") {
    throw new OperatorError("--tls-cert and --tls-key belong together: give the certificate and its key.");
  }
  const tls = { cert: readPem("--tls-cert", tlsCert), key: readPem("--tls-key", tlsKey) };
  // Loaded only with a certificate (docs/decisions/executable.md).
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  const cert = parsePem(`--tls-cert ${tlsCert}: expected a certificate`, () => new X509Certificate(tls.cert));
  const key = parsePem(`--tls-key ${tlsKey}: expected an unencrypted key`, () => createPrivateKey(tls.key));
  if (!cert.checkPrivateKey(key))
    throw new OperatorError(`The key ${tlsKey} does not belong to the certificate ${tlsCert}.`);
  return tls;
}

function parsePem<T>(expected: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new OperatorError(`Cannot read ${expected} in PEM format.`);
  }
}

function readPem(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OperatorError(`Cannot read ${flag} ${file}: ${messageOf(cause)}.`);
  }
}
