/** Where the server listens: a port, or a Unix socket that a proxy on the same machine connects to. */
import { chmodSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../errors.ts";
import { refusal, SOCKET_PEER } from "../http.ts";
import type { Log } from "../log.ts";
import type { UnderWay } from "./in-flight.ts";
import { ROUTES } from "../routes.ts";
import type { InheritedSocket } from "./inherited.ts";
import { readTls, type Tls } from "./tls.ts";

/** Answers one request, whoever carries it here. */
type Answerer = (request: Request, peer: string) => Response | Promise<Response>;

/** Where to listen. */
export interface ListenSettings {
  host: string;
  port: number;
  /** Path of a Unix socket, in place of host and port; empty for none. */
  socket: string;
  /** Files of a certificate chain and its key; both empty for plain HTTP. */
  tlsCert: string;
  tlsKey: string;
  /** Other processes of this server listen on the port, too; each connection comes to one of them. Linux. */
  isPortShared?: boolean;
}

/** What is done for a request that waits long for its answer: a connection that is quiet for half a minute is closed. */
export interface Connections {
  /**
   * Keeps the connection while the answer is made, at most a minute. For requests without a body: whoever sends one slowly has
   * no more time than else.
   */
  keep(request: Request): void;
  /** The answer is made: whoever does not read it has no more time than else. */
  release(request: Request): void;
}

/** A listener that is open. */
export interface Listener extends UnderWay, Connections {
  /** Zero on a socket. */
  port: number;
  /** Answers from now on; who came before has waited. */
  answerWith(answer: Answerer): void;
  /**
   * Makes the socket the one that callers reach. A port is reached from the start.
   * @returns what takes that back: the one before it is reached again
   */
  publish(): () => void;
  /**
   * Reads the certificate and its key again, where there are any. Connections that are just being made may be reset.
   * @throws OperatorError when they cannot be used: the old ones stay
   */
  renewCertificate(): Promise<void>;
  /** Takes no more, lets answers in flight finish (at most `graceMs`), then ends. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Bun's own limit on bodies, far above ours: what is above it gets an empty 413 from Bun, what is above ours the flat
 * envelope from us. Nothing of a body that nobody reads is kept.
 */
const LISTENER_BODY_BYTES = 1024 ** 4;

/**
 * How long a connection may be quiet, in seconds, a request that is being answered included: longer than a charge takes that
 * waits for a database that fails over. Bun's own ten cut such a charge off, and its caller's library asked again.
 */
const QUIET_SECONDS = 30;

/** How long a request may wait for the first answer, in seconds: as long as another server may take to end. */
const WAIT_SECONDS = 60;
/** How long an answer may take to make, in seconds: of a question across companies where cores are short. */
const ANSWER_SECONDS = 60;

/**
 * Opens a listener.
 *
 * @param inherited a socket that was handed over: callers come by it, and nobody by the port behind it
 * @throws OperatorError when the address is taken, naming the flag to change
 */
// oxlint-disable-next-line max-lines-per-function -- its methods share the server, which a new certificate replaces
export function listen(
  settings: ListenSettings,
  log: Log,
  inherited: InheritedSocket | null = null,
): Listener {
  checkListenSettings(settings);
  const first = Promise.withResolvers<Answerer>();
  let answer: Answerer | undefined;
  const options = {
    // Else a bug would answer with a page that shows paths and lines of the source.
    development: false,
    maxRequestBodySize: LISTENER_BODY_BYTES,
    error(error: Error) {
      log.error("internal_error", { error: error.stack ?? String(error) });
      return refusal(500, "Internal error. Please tell the operator.");
    },
  };
  const waiting = async (request: Request, peer: string) => (await first.promise)(request, peer);
  const path = settings.socket === "" || inherited !== null ? null : ownPath(settings.socket);
  const listenBehind = ({ relayTo, clientOf }: InheritedSocket, port: number) => {
    const server = listenOnPort({ ...settings, host: "127.0.0.1", port }, readTls(settings), {
      ...options,
      fetch(request, listening) {
        const client = clientOf(listening.requestIP(request)?.port ?? 0);
        if (client === undefined) return refusal(403, "This port is not for callers.");
        giveTime(request, listening);
        return (answer ?? waiting)(request, client);
      },
    });
    relayTo(server.port ?? 0);
    return server;
  };
  const listenForAll = (port: number) =>
    listenOnPort({ ...settings, port }, readTls(settings), {
      ...options,
      fetch(request, listening) {
        giveTime(request, listening);
        return (answer ?? waiting)(request, listening.requestIP(request)?.address ?? "unknown");
      },
    });
  const open = (port: number) =>
    inherited !== null
      ? listenBehind(inherited, port)
      : path === null
        ? listenForAll(port)
        : listenOnSocket(path, {
            ...options,
            fetch(request, listening) {
              // A socket has no limit for all of its connections.
              listening.timeout(request, answer === undefined ? WAIT_SECONDS : QUIET_SECONDS);
              giveTime(request, listening);
              return (answer ?? waiting)(request, SOCKET_PEER);
            },
          });
  let server = open(inherited === null ? settings.port : 0);
  return {
    port: inherited === null ? (server.port ?? 0) : inherited.port,
    pending: () => server.pendingRequests,
    // Bun knows the peer of a request as long as it is under way. On a socket it knows none: there the proxy keeps
    // whoever does not read, and `address` has no limit of its own.
    isOver: (request) => server.requestIP(request) === null,
    keep: (request) => server.timeout(request, ANSWER_SECONDS),
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
      await inherited?.close(graceMs);
      await takeWhatWaits();
      if (path !== null) withdraw(settings.socket, path);
      await Promise.race([server.stop(), Bun.sleep(graceMs)]);
      await server.stop(true);
      if (path !== null) rmSync(path, { force: true });
    },
  };
}

/** Turns of the event loop in which connections that wait are taken. */
const LAST_TURNS = 3;

/**
 * Takes the connections that wait: whatever still waits when a listener is closed is reset by the system, where who comes
 * after that is refused and asks elsewhere. Of stops under more load than a process bears, it leaves one in three with a
 * reset connection, where each had three or four.
 */
async function takeWhatWaits(): Promise<void> {
  for (let turn = 0; turn < LAST_TURNS; turn += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}

/** How long an act of an owner may take, in seconds: a copy of a large store, every byte of a large dataset. */
const ADMIN_SECONDS = 255;

function giveTime(request: Request, listening: Bun.Server<undefined>): void {
  const isAdmin = request.method === "POST" && request.url.includes(`${ROUTES.admin.path}/`);
  if (isAdmin) listening.timeout(request, ADMIN_SECONDS);
}

type Fetch = (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>;
type ServeOptions = {
  development: boolean;
  maxRequestBodySize: number;
  error(error: Error): Response;
  fetch: Fetch;
};

/**
 * A port that nobody listens on: the one of the settings, or a free one for 0. Processes that share one could not tell otherwise
 * that another server has it.
 * @throws OperatorError when it is taken, naming the flag to change
 */
export async function freePort(settings: ListenSettings): Promise<number> {
  const { host, port } = settings;
  const fetch = () => refusal(503, "The server is starting.");
  const options = { development: false, maxRequestBodySize: 1, error: fetch, fetch };
  const server = listenOnPort({ ...settings, host, port, isPortShared: false }, null, options);
  const free = server.port ?? port;
  await server.stop(true);
  return free;
}

/** Refuses what cannot be listened on whatever is free. @throws OperatorError naming the flag to change */
export function checkListenSettings(settings: ListenSettings): void {
  readTls(settings);
  if (settings.socket !== "" && settings.tlsCert !== "") {
    throw new OperatorError("--socket is for a proxy, which ends TLS itself: drop --tls-cert and --tls-key.");
  }
}

function listenOnPort(
  { host: hostname, port, isPortShared = false }: ListenSettings,
  tls: Tls | null,
  options: ServeOptions,
): Bun.Server<undefined> {
  try {
    // Off, as two servers on one port would share its callers; a new certificate needs a second listener on it.
    const settings = { ...options, idleTimeout: QUIET_SECONDS, hostname, port };
    if (tls === null) return Bun.serve({ ...settings, reusePort: isPortShared });
    return Bun.serve({ ...settings, reusePort: true, tls });
  } catch (cause) {
    const taken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
    if (taken) {
      throw new OperatorError(
        `Port ${port} of ${hostname} is in use, perhaps by another execcomp. Choose another with --port, or --port 0 for a free one.`,
      );
    }
    throw new OperatorError(`Cannot listen on ${hostname}:${port} (--host, --port): ${String(cause)}`);
  }
}

/** For this user and its group: the proxy's user is a member of the group. */
const SOCKET_MODE = 0o660;

function listenOnSocket(path: string, options: ServeOptions): Bun.Server<undefined> {
  try {
    rmSync(path, { force: true });
    const server = Bun.serve({ ...options, unix: path });
    chmodSync(path, SOCKET_MODE);
    return server;
  } catch (cause) {
    throw new OperatorError(
      `Cannot listen on ${path} (--socket): ${String(cause)}. Its folder must be there and writable, and the path shorter than 100 bytes.`,
    );
  }
}

/**
 * Each server has a socket of its own behind one link, so that the next one can listen before this one ends: the link
 * is changed in one step, and whoever connects meets the one or the other.
 */
function ownPath(link: string): string {
  return `${link}.${process.pid}`;
}

/** The process that answers behind the link; null where there is none that can be told. */
export function serverBehind(link: string): number | null {
  const name = targetOf(link);
  const digits = name === null ? "" : (/\.(\d+)$/.exec(name)?.[1] ?? "");
  return digits === "" || Number(digits) === process.pid ? null : Number(digits);
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** @returns what points it to where it pointed before */
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

/** The link goes with its server, unless another one has taken it. */
function withdraw(link: string, path: string): void {
  if (targetOf(link) === basename(path)) rmSync(link, { force: true });
}
