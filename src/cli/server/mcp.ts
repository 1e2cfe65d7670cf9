import { onDemand } from "../../server/app.ts";
import { openServices, type Services } from "../../server/compose.ts";
import { OperatorError, ServiceError } from "../../errors.ts";
import { createLog } from "../../log.ts";
import type { Caller } from "../../operations/operation.ts";
import { createSqlRunner } from "../../operations/sql.ts";
import { createServerUrls } from "../../http/base-urls.ts";
import { logOptions } from "../bounded-output.ts";
import { command, type Io, sameFolder } from "../command.ts";

/** `execcomp mcp` */
export const mcp = command({
  name: "mcp",
  summary: "Serve MCP on standard input and output, for clients on this machine.",
  details:
    "Has the seven tools of /mcp/analyst and run_sql, which works like execcomp sql. Acts as the local operator, free and without an\n" +
    "account; with a key, calls are counted and charged as over HTTP,\n" +
    "and one that is unknown, revoked or expired is refused at start. Needs no network. The log goes to standard error. When the client disconnects, pending calls are answered and the\n" +
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
      const presented =
        key === undefined ? ({ kind: "none" } as const) : ({ kind: "key", secret: key } as const);
      if (key !== undefined)
        await requireKey(services, { presented, address: "stdio", requestId: io.runtime.id() }, io);
      const { contentHash, edition } = services.snapshots.current().info;
      log.info("mcp_started", { snapshot: contentHash, edition, metered: key !== undefined });
      const mcpOverStdio = await onDemand.mcpOverStdio();
      await mcpOverStdio({
        ...services.operations,
        sql: io.program === null ? null : createSqlRunner({ program: io.program, dataDir: config.dataDir }),
        input: io.stdin(),
        write: (text) => io.write(text),
        presented,
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

/** Refuses to start with a key that no call would be answered with. @throws OperatorError */
async function requireKey({ operations }: Services, caller: Caller, { loaded }: Io): Promise<void> {
  await operations.admit(caller, "credential", "handshakes").catch((refused: unknown) => {
    // A full window or a store that is down may be over by the first call.
    if (!(refused instanceof ServiceError) || refused.kind !== "unauthenticated") return;
    const folder = sameFolder(loaded);
    throw new OperatorError(
      `The key (--key or EXECCOMP_KEY) is unknown, revoked or expired. For a new one: execcomp keys create --user EMAIL${folder}`,
    );
  });
}
