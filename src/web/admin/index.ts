/**
 * `/admin`: where owners run the service. A session is always required, even for the local operator. The pages are loaded
 * by the first request for one, to keep them out of the startup time.
 * @see docs/contract.md, "Pages"
 */
import { Elysia } from "elysia";
import { ROUTES } from "../../http/routes.ts";
import type { AdminDeps, AdminHandlers, PageRequest } from "./handlers.ts";
import { ADMIN_SCRIPT } from "./script.ts";

/** The routes of `/admin`. */
export function admin(deps: AdminDeps) {
  let loaded: Promise<AdminHandlers> | undefined;
  const load = () => (loaded ??= import("./handlers.ts").then(({ adminHandlers }) => adminHandlers(deps)));
  const app = new Elysia({ name: "admin" });
  const asForm = { parse: "none" } as const;
  const withForms = [
    "admin",
    "adminUser",
    "adminKeys",
    "adminApps",
    "adminDataset",
    "adminIngest",
    "adminHealth",
    "adminBackup",
  ] as const;
  for (const name of withForms) {
    app.get(ROUTES[name].path, async (pageRequest: PageRequest) => (await load()).show(name, pageRequest));
    app.post(
      ROUTES[name].path,
      async (pageRequest: PageRequest) => (await load()).act(name, pageRequest),
      asForm,
    );
  }
  app.get(ROUTES.adminAudit.path, async (pageRequest: PageRequest) =>
    (await load()).show("adminAudit", pageRequest),
  );
  app.get(ROUTES.adminAuditDownload.path, async (pageRequest: PageRequest) =>
    (await load()).auditDownload(pageRequest),
  );
  app.post(
    ROUTES.adminUpload.path,
    async (pageRequest: PageRequest) => (await load()).upload(pageRequest),
    asForm,
  );
  app.post(
    ROUTES.adminBackupDownload.path,
    async (pageRequest: PageRequest) => (await load()).backupDownload(pageRequest),
    asForm,
  );
  app.get(ROUTES.adminScript.path, () => new Response(ADMIN_SCRIPT, { headers: SCRIPT_HEADERS }));
  return app;
}

const SCRIPT_HEADERS = {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": "public, max-age=3600",
};
