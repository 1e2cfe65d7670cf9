import { onDemand } from "../../server/app.ts";
import { openServices } from "../../server/compose.ts";
import { createLog } from "../../log.ts";
import { createSqlRunner } from "../../operations/sql.ts";
import { createServerUrls } from "../../http/base-urls.ts";
import { logOptions } from "../bounded-output.ts";
import { command } from "../command.ts";

/** `execcomp mcp` */
export const mcp = command({
  name: "mcp",
  summary: "Serve MCP on standard input and output, for clients on this machine.",
  details:
    "Has the seven tools of /mcp/analyst and run_sql, which works like execcomp sql. Acts as the local operator, free and without an\n" +
    "account; with a key, calls are counted and charged as over HTTP.\n" +
    "Needs no network. The log goes to standard error. When the client disconnects, pending calls are answered and the\n" +
    "command exits with 0.",
  flags: {
    key: {
      value: "KEY",
      about: "Use this API key; calls are counted and charged as over HTTP.",
      secret: true,
    },
  },
  settings: "all",
  examples: [
    ["mcp", "The command that a client such as Claude Desktop starts."],
    ["mcp --data-dir /srv/execcomp", "With the snapshot installed in that folder."],
  ],
  async run({ flags }, io) {
    const { config } = io.loaded;
    // A desktop bundle passes an empty key if its form was left empty.
    const key = flags.key === "" ? undefined : flags.key;
    const log = createLog(io.runtime, (line) => io.note(line), logOptions(io));
    const services = openServices(config, io.runtime, log, key === undefined ? "operator" : "anyone");
    try {
      const { contentHash, edition } = services.snapshots.current().info;
      log.info("mcp_started", { snapshot: contentHash, edition, metered: key !== undefined });
      const mcpOverStdio = await onDemand.mcpOverStdio();
      await mcpOverStdio({
        ...services.operations,
        sql: io.program === null ? null : createSqlRunner({ program: io.program, dataDir: config.dataDir }),
        input: io.stdin(),
        write: (text) => io.write(text),
        presented: key === undefined ? { kind: "none" } : { kind: "key", secret: key },
        purchase: {
          status: config.purchaseStatus,
          url: createServerUrls(config, config.port).main.developer,
        },
        id: () => io.runtime.id(),
        onFault: (error) => log.warn("mcp_fault", { error: String(error) }),
        stopped: io.untilStopped(),
      });
    } finally {
      await services.close();
    }
  },
});
