import { OperatorError, messageOf } from "../../errors.ts";
import { createApp } from "../../server/app.ts";
import type { Services } from "../../server/compose.ts";
import { withServices } from "./questions.ts";
import { type Io, UsageError, command } from "../command.ts";
import { siteOf } from "../site.ts";

/** `execcomp get PATH` */
export const get = command({
  name: "get",
  summary: "Answer one request without a server, or send it to a running one.",
  details:
    "Acts as the local operator by default, free and without a key. The body goes to standard output,\n" +
    "the status to standard error; exits with 0 for 2xx, else 1. With --url it can serve as a container's health check.",
  operands: [{ name: "PATH", about: "The path of the request, beginning with a slash." }],
  flags: {
    key: { value: "KEY", about: "Use this API key; counted and charged as over HTTP.", secret: true },
    anonymous: { about: "Send no credential." },
    url: {
      value: "ORIGIN",
      about: "Send the request to the server at this address, with --key or without a credential.",
    },
  },
  settings: "all",
  examples: [
    ['get "/api/executive-compensation?ticker=AAPL"', "The newest fiscal years of Apple as JSON."],
    ["get /t/AAPL/facts --anonymous", "What anonymous callers see."],
    ["get /api/openapi.json", "The OpenAPI 3.1 document."],
    ["get /readyz --url http://127.0.0.1:8402", "Health check of a running server."],
  ],
  async run({ flags, operands: [path = ""] }, io) {
    if (!path.startsWith("/"))
      throw new UsageError(
        `Cannot get ${JSON.stringify(path)}: expected a path beginning with a slash, such as /t/AAPL/facts.`,
      );
    if (flags.anonymous && flags.key !== undefined)
      throw new UsageError("Use --key or --anonymous, not both.");
    if (flags.url !== undefined) return sendRequest(flags.url, path, flags.key, io);
    const operator = !flags.anonymous && flags.key === undefined;
    const { config } = io.loaded;
    const answer = async (services: Services) => {
      const serverUrls = siteOf(io.loaded);
      const { host } = new URL(serverUrls.main.origin);
      // As it would reach the listener: behind a proxy the public address is https, and the request is not.
      const scheme = config.tlsCert === "" ? "http" : "https";
      const request = new Request(`${scheme}://${host}${path}`, {
        headers: { host, ...keyHeader(flags.key) },
      });
      return printResponse(await createApp(services, () => serverUrls)(request), io);
    };
    return withServices(io, answer, operator ? "operator" : "anyone");
  },
});

function keyHeader(key: string | undefined): { "x-api-key"?: string } {
  return key === undefined ? {} : { "x-api-key": key };
}

/** Timeout of a request to a server. */
const ANSWER_MS = 5000;

async function sendRequest(origin: string, path: string, key: string | undefined, io: Io): Promise<number> {
  if (io.loaded.config.offline)
    throw new OperatorError("--offline is set, so no request can be sent. Remove --url or --offline.");
  if (!/^https?:/.test(origin) || !URL.canParse(origin))
    throw new UsageError(
      `Cannot read --url ${JSON.stringify(origin)}: expected an origin such as http://localhost:8402.`,
    );
  const headers = keyHeader(key);
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await io.runtime.fetch(new URL(path, origin), { headers, redirect: "manual", signal });
    return await printResponse(answer, io);
  } catch (cause) {
    throw new OperatorError(
      `No response from ${origin}: ${messageOf(cause)}. Check the address, or start a server: execcomp serve`,
    );
  }
}

/** @returns the exit code */
async function printResponse(answer: Response, io: Io): Promise<number> {
  await io.write(await answer.bytes());
  if (io.terminal) io.print("");
  io.note(String(answer.status));
  const incomplete = answer.headers.get("incomplete-fiscal-years");
  if (incomplete !== null) io.note(`Incomplete fiscal years: ${incomplete}`);
  const newer = answer.headers.get("newer-filing");
  if (newer !== null) io.note(`Newer filing, not read yet: ${newer}`);
  return answer.ok ? 0 : 1;
}
