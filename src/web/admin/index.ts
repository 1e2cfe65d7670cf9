/**
 * `/admin`: where owners run the service. The pages are loaded by the first request for one, to keep them out of the
 * startup time.
 * @see docs/contract.md, "Pages"
 */
import { Elysia } from "elysia";
import { mount } from "../forms.ts";
import type { AdminDeps } from "./pages.ts";

/** The routes of `/admin`. */
export function admin(deps: AdminDeps) {
  let loaded: Promise<ReturnType<(typeof import("./pages.ts"))["adminPages"]>> | undefined;
  const load = () => (loaded ??= import("./pages.ts").then(({ adminPages }) => adminPages(deps)));
  const app = new Elysia({ name: "admin" });
  const names = [
    "admin",
    "adminUser",
    "adminUsage",
    "adminUsageDownload",
    "adminKeys",
    "adminApps",
    "adminDataset",
    "adminUpload",
    "adminIngest",
    "adminHealth",
    "adminSettings",
    "adminBackup",
    "adminBackupDownload",
    "adminAudit",
    "adminAuditDownload",
  ] as const;
  for (const name of names) mount(app, name, async (pageRequest) => (await load())[name](pageRequest));
  return app;
}
