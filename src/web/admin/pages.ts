import { type RouteName, ROUTES } from "../../http/routes.ts";
import { Forms, type PageHandler, type PageRequest } from "../forms.ts";
import { auditDownload, auditPage } from "./audit.ts";
import { backupPage, downloadBackup, healthPage, settingsPage } from "./server.ts";
import { appsPage, keysPage, usersPage } from "./users.ts";
import { datasetPage, installUpload } from "./dataset.ts";
import { ADMIN, type AdminDeps, type AdminPage, type OwnerVisit } from "./frame.ts";
import { ingestPage } from "./ingest.ts";
import { usageDownload, usagePage } from "./usage.ts";
import { userPage } from "./user.ts";

/** The routes of the owners' pages. */
export type AdminRoute = Extract<RouteName, `admin${string}`>;

/** What answers the routes of the owners' pages: pages, and what they send and receive besides. */
export function adminPages(deps: AdminDeps): Readonly<Record<AdminRoute, PageHandler>> {
  const forms = new Forms(deps.forms, ADMIN);
  const {
    runtime,
    forms: { sessionCookies },
  } = deps;
  const [usage, dataset, backup, audit] = [
    usagePage(deps),
    datasetPage(deps),
    backupPage(deps),
    auditPage(deps),
  ];
  /** An upload or a download, whose refusals are shown on the page that it belongs to. */
  const beside =
    (page: AdminPage, path: string, work: (visit: OwnerVisit) => Promise<Response>) =>
    (pageRequest: PageRequest) =>
      forms.visit(page, pageRequest, work, path);
  return {
    admin: forms.at(usersPage(deps)),
    adminUser: forms.at(userPage(deps)),
    adminUsage: forms.at(usage),
    adminUsageDownload: beside(usage, ROUTES.adminUsage.path, (visit) => usageDownload(deps, visit)),
    adminKeys: forms.at(keysPage(deps)),
    adminApps: forms.at(appsPage(deps)),
    adminDataset: forms.at(dataset),
    adminUpload: beside(dataset, ROUTES.adminDataset.path, async (visit) => {
      const outcome = await installUpload(deps, visit, runtime.id(), (fields) => {
        sessionCookies.requireOwnForm(visit.request, visit.session, fields);
      });
      return forms.told(visit, dataset, outcome);
    }),
    adminIngest: forms.at(ingestPage(deps)),
    adminHealth: forms.at(healthPage(deps)),
    adminSettings: forms.at(settingsPage(deps)),
    adminBackup: forms.at(backup),
    adminBackupDownload: beside(backup, ROUTES.adminBackup.path, async (visit) => {
      const fields = await sessionCookies.form(visit.request, visit.session);
      return downloadBackup(deps, forms.sent(visit, fields), runtime.id());
    }),
    adminAudit: forms.at(audit),
    adminAuditDownload: beside(audit, ROUTES.adminAudit.path, (visit) => auditDownload(deps, visit)),
  };
}
