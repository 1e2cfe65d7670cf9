/**
 * `/admin`: where owners run the service. The pages are loaded by the first request for one, to keep them out of the
 * startup time.
 * @see docs/contract.md, "Pages"
 */
import { Elysia } from "elysia";
import { ROUTES } from "../../http/routes.ts";
import type { PageRequest } from "../forms.ts";
import type { AdminDeps } from "./pages.ts";

/** The routes of `/admin`. */
export function admin(deps: AdminDeps) {
  let loaded: Promise<ReturnType<(typeof import("./pages.ts"))["adminPages"]>> | undefined;
  const load = () => (loaded ??= import("./pages.ts").then(({ adminPages }) => adminPages(deps)));
  const app = new Elysia({ name: "admin" });
  const asForm = { parse: "none" } as const;
  const pages = [
    "admin",
    "adminUser",
    "adminUsage",
    "adminKeys",
    "adminApps",
    "adminDataset",
    "adminIngest",
    "adminHealth",
    "adminSettings",
    "adminBackup",
    "adminAudit",
  ] as const;
  for (const name of pages) {
    const { path, methods } = ROUTES[name];
    app.get(path, async (pageRequest: PageRequest) => (await load()).show(name, pageRequest));
    const all: readonly string[] = methods;
    if (all.includes("POST"))
      app.post(path, async (pageRequest: PageRequest) => (await load()).act(name, pageRequest), asForm);
  }
  return app
    .get(ROUTES.adminUsageDownload.path, async (pageRequest: PageRequest) =>
      (await load()).usageDownload(pageRequest),
    )
    .get(ROUTES.adminAuditDownload.path, async (pageRequest: PageRequest) =>
      (await load()).auditDownload(pageRequest),
    )
    .post(
      ROUTES.adminUpload.path,
      async (pageRequest: PageRequest) => (await load()).upload(pageRequest),
      asForm,
    )
    .post(
      ROUTES.adminBackupDownload.path,
      async (pageRequest: PageRequest) => (await load()).backupDownload(pageRequest),
      asForm,
    );
}
