import { createApp } from "../app.ts";
import { openServices } from "../compose.ts";
import { silentLog } from "../log.ts";
import { createServerUrls } from "../base-urls.ts";
import { command, UsageError } from "./command.ts";

/** `execcomp get PATH` */
export const get = command({
  name: "get",
  summary: "Answer one request without a server.",
  details:
    "Asks as the local operator, who needs no key and pays nothing, unless told otherwise. The body goes to standard\n" +
    "output, the status to standard error; exit code 0 for 2xx, else 1.",
  operands: [{ name: "PATH", about: "What stands behind the server's address, from the first slash." }],
  flags: {
    key: { value: "KEY", about: "Ask with this API key, counted and charged as over HTTP.", secret: true },
    anonymous: { about: "Ask without any credential." },
  },
  settings: "all",
  examples: [
    ['get "/api/executive-compensation?ticker=AAPL"', "The newest fiscal years of Apple as JSON."],
    ["get /t/AAPL/facts --anonymous", "What anybody may ask."],
    ["get /api/executive-compensation/tickers", "All symbols."],
  ],
  async run({ flags, operands: [path = ""] }, io) {
    if (!path.startsWith("/")) {
      throw new UsageError(
        `Cannot get ${JSON.stringify(path)}: expected a path from the first slash, such as /t/AAPL/facts.`,
      );
    }
    if (flags.anonymous && flags.key !== undefined) {
      throw new UsageError("--key and --anonymous exclude each other.");
    }
    const operator = !flags.anonymous && flags.key === undefined;
    const { config } = io.loaded;
    const log = silentLog();
    const services = openServices(config, io.runtime, log, operator ? "operator" : "anyone");
    try {
      const serverUrls = createServerUrls(config, config.port);
      const { origin } = serverUrls.main;
      const headers = {
        host: new URL(origin).host,
        ...(flags.key === undefined ? {} : { "x-api-key": flags.key }),
      };
      const answer = await createApp(services, () => serverUrls)(
        new Request(origin + path, { headers }),
        "127.0.0.1",
      );
      await io.write(await answer.bytes());
      if (io.terminal) io.print("");
      io.note(String(answer.status));
      return answer.ok ? 0 : 1;
    } finally {
      await services.close();
    }
  },
});
