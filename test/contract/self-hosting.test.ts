/** The nginx site from docs/self-hosting.md, in front of a server. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/background-server.ts";
import { tempFolder } from "../support/folder.ts";
import { hasNginx, startNginx } from "../support/nginx.ts";
import { startTestServer } from "../support/server.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/self-hosting.md"), "utf8");
const [, SITE = ""] = /```\n(server \{[^`]*)```/.exec(PAGE) ?? [];
const openssl = Bun.which("openssl");

test.skipIf(!hasNginx || openssl === null)(
  "nginx accepts the documented site as it is, with a certificate",
  () => {
    const folder = tempFolder();
    const [cert, key] = [join(folder, "fullchain.pem"), join(folder, "key.pem")];
    const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    Bun.spawnSync([openssl ?? "", ...words, "-subj", "/CN=pay.example.com", "-out", cert, "-keyout", key]);
    const site = SITE.replace("/etc/ssl/pay/fullchain.pem", cert).replace("/etc/ssl/pay/key.pem", key);
    const file = join(folder, "nginx.conf");
    writeFileSync(file, `pid ${join(folder, "pid")}; events {} http { access_log off; ${site} }`);
    const { stderr } = Bun.spawnSync(["nginx", "-t", "-c", file, "-e", join(folder, "error.log")]);
    expect(stderr.toString()).toContain("syntax is ok");
  },
);

test.skipIf(!hasNginx)(
  "behind nginx as documented, the public URL has a port and uploads are not truncated",
  async () => {
    const site = SITE.replace(/ssl_certificate(_key)? .*\n/g, "");
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
