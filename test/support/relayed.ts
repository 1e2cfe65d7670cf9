import { connect } from "node:net";
import { openInherited } from "../../src/server/edge/inherited.ts";
import { openListeningSocket } from "./listening-socket.ts";

/** A request on a new connection. */
export const ASK = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/** Our listener behind a service manager's socket; every response has the given number of bytes. */
export async function relayed({ bytes, stalledMs }: { bytes: number; stalledMs: number }) {
  const body = new Uint8Array(bytes);
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(body) });
  const socket = openListeningSocket();
  const inherited = await openInherited(socket.fd, { stalledMs });
  inherited.relayTo(server.port ?? 0);
  return {
    inherited,
    reader: () => connect(socket.port, "127.0.0.1").on("error", () => {}),
    async [Symbol.asyncDispose]() {
      await inherited.close(0);
      await server.stop(true);
      socket[Symbol.dispose]();
    },
  };
}
