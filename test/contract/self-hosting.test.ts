/** The nginx site from docs/self-hosting.md, in front of a server. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/background-server.ts";
import { tempFolder } from "../support/folder.ts";
import { hasNginx, startNginx } from "../support/nginx.ts";
import { startTestServer } from "../support/server.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/self-hosting.md"), "utf8");

test.skipIf(!hasNginx)(
  "behind nginx as documented, the public URL has a port and uploads are not truncated",
  async () => {
    const [, site = ""] = /```\n(server \{[^`]*)```/.exec(PAGE) ?? [];
    const port = String(freePort());
    const hosts = { "127.0.0.1:8402": `127.0.0.1:${port}` };
    const nginx = await startNginx(tempFolder(), hosts, site.replace("listen 443 ssl;", "listen 80;"));
    const origin = `http://localhost:${nginx.port}`;
    const server = await startTestServer({ port, publicUrl: origin, trustedProxies: "127.0.0.1" });
    try {
      expect((await fetch(`${origin}/t/AAPL/facts`)).status).toBe(200);
      // Larger than nginx accepts by default. The caller is not signed in.
      const form = new FormData();
      form.set("file", new File([new Uint8Array(3 << 20)], "pay.sqlite"));
      const sent = { method: "POST", body: form, redirect: "manual" } as const;
      const uploaded = await fetch(`${origin}/admin/dataset/upload`, sent);
      expect([uploaded.status, uploaded.headers.get("location")]).toEqual([
        303,
        `${origin}/sign-in?next=%2Fadmin%2Fdataset`,
      ]);
    } finally {
      await nginx.stop();
      await server.stop();
    }
  },
);
