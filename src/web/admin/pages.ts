import { ROUTES } from "../../http/routes.ts";
import { type FormDeps, Forms, type PageRequest } from "../forms.ts";
import { auditDownload, auditPage, type AuditPageDeps } from "./audit.ts";
import { backupPage, type BackupPageDeps, downloadBackup } from "./backup.ts";
import { appsPage, type CredentialPagesDeps, keysPage } from "./credentials.ts";
import { datasetPage, type DatasetPageDeps, installUpload } from "./dataset.ts";
import { ADMIN, type AdminPage } from "./frame.ts";
import { healthPage, type HealthPageDeps } from "./health.ts";
import { ingestPage, type IngestPageDeps } from "./ingest.ts";
import { settingsPage, type SettingsPageDeps } from "./settings.ts";
import { usageDownload, usagePage, type UsagePageDeps } from "./usage.ts";
import { userPage, type UserPageDeps } from "./user.ts";
import { usersPage, type UsersPageDeps } from "./users.ts";

export type AdminDeps = UserPageDeps &
  UsersPageDeps &
  CredentialPagesDeps &
  AuditPageDeps &
  BackupPageDeps &
  DatasetPageDeps &
  HealthPageDeps &
  IngestPageDeps &
  SettingsPageDeps &
  UsagePageDeps & { forms: FormDeps };

/** The owners' pages by route, and what they send and receive besides. */
export function adminPages(deps: AdminDeps) {
  const forms = new Forms(deps.forms, ADMIN);
  const { runtime, sessionCookies } = deps.forms;
  const pages = {
    admin: usersPage(deps),
    adminUser: userPage(deps),
    adminUsage: usagePage(deps),
    adminKeys: keysPage(deps),
    adminApps: appsPage(deps),
    adminDataset: datasetPage(deps),
    adminIngest: ingestPage(deps),
    adminHealth: healthPage(deps),
    adminSettings: settingsPage(deps),
    adminBackup: backupPage(deps),
    adminAudit: auditPage(deps),
  } satisfies Readonly<Record<string, AdminPage>>;
  type PageName = keyof typeof pages;
  return {
    show: (name: PageName, pageRequest: PageRequest) => forms.show(pages[name], pageRequest),
    act: (name: PageName, pageRequest: PageRequest) => forms.act(pages[name], pageRequest),
    usageDownload: (pageRequest: PageRequest) =>
      forms.visit(
        pages.adminUsage,
        pageRequest,
        (visit) => usageDownload(deps, visit),
        ROUTES.adminUsage.path,
      ),
    auditDownload: (pageRequest: PageRequest) =>
      forms.visit(
        pages.adminAudit,
        pageRequest,
        (visit) => auditDownload(deps, visit),
        ROUTES.adminAudit.path,
      ),
    backupDownload: (pageRequest: PageRequest) =>
      forms.visit(
        pages.adminBackup,
        pageRequest,
        async (visit) => {
          const fields = await sessionCookies.form(visit.request, visit.session);
          return downloadBackup(deps, forms.sent(visit, fields), runtime.id());
        },
        ROUTES.adminBackup.path,
      ),
    upload: (pageRequest: PageRequest) =>
      forms.visit(
        pages.adminDataset,
        pageRequest,
        async (visit) => {
          const outcome = await installUpload(deps, visit, runtime.id(), (fields) => {
            sessionCookies.requireOwnForm(visit.request, visit.session, fields);
          });
          return forms.told(visit, pages.adminDataset, outcome);
        },
        ROUTES.adminDataset.path,
      ),
  };
}
