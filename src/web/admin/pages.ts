import { type RouteName, ROUTES } from "../../http/routes.ts";
import { Forms, type PageHandler, type PageRequest } from "../forms.ts";
import { auditDownload, auditPage } from "./audit.ts";
import { backupPage, downloadBackup, healthPage, settingsPage } from "./server.ts";
import { appsPage, keysPage, usersPage } from "./users.ts";
import { datasetPage, installUpload } from "./dataset.ts";
import { type AdminDeps, adminFamily, type AdminPage, type OwnerVisit } from "./frame.ts";
import { ingestPage } from "./ingest.ts";
import { needsSetUp, setUpPage } from "./set-up.ts";
import { usageDownload, usagePage } from "./usage.ts";
import { userPage } from "./user.ts";

/** The routes of the owners' pages. */
export type AdminRoute = Extract<RouteName, `admin${string}`>;

/** What answers the routes of the owners' pages: pages, and what they send and receive besides. */
export function adminPages(deps: AdminDeps): Readonly<Record<AdminRoute, PageHandler>> {
  const forms = new Forms(
    deps.forms,
    adminFamily(() => needsSetUp(deps)),
  );
  const usage = usagePage(deps);
  const dataset = datasetPage(deps);
  const backup = backupPage(deps);
  const audit = auditPage(deps);
  /** An upload or a download, whose refusals are shown on the page that it belongs to. */
  const beside =
    (name: AdminRoute, page: AdminPage, work: (visit: OwnerVisit) => Promise<Response>) =>
    (pageRequest: PageRequest) =>
      forms.visit(page, pageRequest, work, ROUTES[name].path);
  return {
    admin: forms.at(setUpPage(deps)),
    adminUsers: forms.at(usersPage(deps)),
    adminUser: forms.at(userPage(deps)),
    adminUsage: forms.at(usage),
    adminUsageDownload: beside("adminUsage", usage, (visit) => usageDownload(deps, visit)),
    adminKeys: forms.at(keysPage(deps)),
    adminApps: forms.at(appsPage(deps)),
    adminDataset: forms.at(dataset),
    adminUpload: beside("adminDataset", dataset, async (visit) =>
      forms.pageAfter(visit, dataset, await installUpload(deps, visit)),
    ),
    adminIngest: forms.at(ingestPage(deps)),
    adminHealth: forms.at(healthPage(deps)),
    adminSettings: forms.at(settingsPage(deps)),
    adminBackup: forms.at(backup),
    adminBackupDownload: beside("adminBackup", backup, async (visit) => {
      const fields = await deps.forms.sessionCookies.form(visit.request, visit.session);
      return downloadBackup(deps, forms.sent(visit, fields));
    }),
    adminAudit: forms.at(audit),
    adminAuditDownload: beside("adminAudit", audit, (visit) => auditDownload(deps, visit)),
  };
}
