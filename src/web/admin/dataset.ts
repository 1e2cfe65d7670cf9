import { numeral } from "../../lib/text.ts";
import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { invalid, isSystemError, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../lib/html.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { ROUTES } from "../../http/routes.ts";
import { factsOf, section, tableOf } from "../account-tables.ts";
import { checkbox, field } from "../fields.ts";
import type { Outcome } from "../forms.ts";
import { type AdminDeps, type AdminPage, type OwnerVisit, startable } from "./frame.ts";
import { pipeline } from "node:stream/promises";

const MAX_UPLOAD_BYTES = 4 * 2 ** 30;

/** `/admin/dataset`: the dataset in use, its verification, and installing or restoring another. */
export function datasetPage({ snapshots, datasetAdmin, audit }: AdminDeps): AdminPage {
  return {
    title: "Dataset",
    main(visit) {
      const failure = snapshots.failure();
      const installed = datasetAdmin?.installed() ?? { current: null, previous: [] };
      const [before] = installed.previous;
      const back = `the dataset ${before ? `of ${before.installedAt.slice(0, 10)}` : "inside the executable"}`;
      const rollBack = html`<button class="danger">Roll back to ${back}</button>`;
      const entries = [installed.current, ...installed.previous].filter((entry) => entry !== null);
      return html`${failure !== null && html`<p class="error" role="alert">${failure}</p>`}
        ${facts(snapshots.current().info, snapshots.embedded())}
        <div class="row actions">
          ${visit.form("verify", html`<button>Verify</button>`)}
          ${installed.current !== null && visit.form("rollback", rollBack, { hidden: { back } })}
        </div>
        ${uploadForm(visit)}
        <h2>Installed datasets</h2>
        ${tableOf("Installed, newest first", entries, NONE, [
          ["Installed", ({ installedAt }) => installedAt.slice(0, 16).replace("T", " ")],
          ["Content hash", ({ contentHash }) => html`<code>${contentHash.slice(0, 16)}</code>`],
          ["Status", (entry) => (entry === installed.current ? "in use" : "previous")],
        ])}`;
    },
    acts: {
      verify: async () => {
        await startable(datasetAdmin).verify();
        return { note: "The dataset in use was verified: every byte matches its seal." };
      },
      rollback: {
        ask: ({ fields }) => ({
          question: `Roll back to ${fields.get("back") ?? "the previous dataset"}? It will be in use within a second.`,
          button: "Roll back",
        }),
        async run({ actor }) {
          const before = beforeIt(snapshots);
          const { content_hash: subject, edition, rows } = await startable(datasetAdmin).rollBack();
          await audit.record(actor, {
            act: "dataset_rolled_back",
            subject,
            before,
            after: { edition, rows },
          });
          return { note: `Edition ${edition} with ${numeral(rows)} rows will be in use within a second.` };
        },
      },
    },
  };
}

const NONE = "No dataset is installed. The one inside the executable is in use.";

/** Receives a snapshot from a form of this browser, and installs it. */
export async function installUpload(deps: AdminDeps, visit: OwnerVisit): Promise<Outcome> {
  const { snapshots, audit, config, runtime, forms } = deps;
  const admin = startable(deps.datasetAdmin);
  const folder = join(config.dataDir, "snapshots");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `upload-${runtime.id()}.part`);
  const { fields, name } = await receiveUpload(visit.request, {
    file,
    maxBytes: MAX_UPLOAD_BYTES,
    check: (given) => forms.sessionCookies.requireOwnForm(visit.request, visit.session, given),
  });
  const before = beforeIt(snapshots);
  const trust = fields.get("trust") === "yes";
  const { content_hash: subject, edition, rows } = await admin.install(file, name, trust);
  const after = { edition, rows, file: name.slice(0, 100), trusted_by_hand: trust };
  await audit.record(visit.actor, { act: "dataset_installed", subject, before, after });
  return {
    note: `${name} was installed. Edition ${edition} with ${numeral(rows)} rows will be in use within a second.`,
  };
}

function beforeIt(snapshots: AdminDeps["snapshots"]) {
  const { contentHash, edition, rows } = snapshots.current().info;
  return { content_hash: contentHash, edition, rows };
}

function facts(inUse: Dataset["info"], embedded: Dataset["info"]): Html {
  const isOlder = inUse.origin === "installed" && embedded.edition > inUse.edition;
  const pairs: [string, string][] = [
    ["Origin", inUse.origin === "embedded" ? "inside the executable" : "installed"],
    ["Edition", inUse.edition],
    ["Newest filing", inUse.newestFilingDate],
    ["Rows", numeral(inUse.rows)],
    ["Companies", `${numeral(inUse.companiesWithRows)} with rows, ${numeral(inUse.companies)} known`],
    ["Filings", numeral(inUse.filings)],
    ["Size", `${(inUse.bytes / 1e6).toFixed(1)} MB`],
    ["Signed by", inUse.signedBy === null ? "unsigned" : `${inUse.signedBy.slice(0, 16)}…`],
    ["Content hash", inUse.contentHash.slice(0, 16)],
  ];
  const older = `The dataset inside the executable is newer (edition ${embedded.edition}) than the installed one.`;
  return html`${factsOf(pairs)} ${isOlder && html`<p class="note">${older}</p>`}`;
}

function uploadForm(visit: OwnerVisit): Html {
  const fields = html`<div class="row panel">
    ${field("Snapshot file", { type: "file", name: "file", required: true, "data-max-bytes": MAX_UPLOAD_BYTES })}
    ${checkbox("Trust this file even if it is unsigned or its signer is new", { name: "trust", value: "yes" })}
    <button class="primary">Install</button>
  </div>`;
  const options = { action: ROUTES.adminUpload.path, encoding: "multipart/form-data" } as const;
  return section("install", "Install a dataset", ABOUT_FILE, visit.form("install", fields, options));
}

const ABOUT_FILE = html`<p>
  A snapshot file from <code>execcomp data export --format sqlite</code>. Its bytes and signature are verified
  before it replaces the dataset in use, which you can roll back to later.
</p>`;

/** How a file is received. */
interface UploadOptions {
  /** Path to write the file to; it must not exist. Deleted if the upload is refused. */
  file: string;
  maxBytes: number;
  /** Called with the fields before the file, before any of it is written. Throws to refuse the upload. */
  check(fields: ReadonlyMap<string, string>): void;
}

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 2000;

/**
 * Receives the form's one file, and returns its fields and the file's name in the browser. Refuses with `too_large`, with `invalid_parameter` for a form that is malformed or has no
 * file, and with whatever `check` throws; nothing more is read after a refusal.
 */
export async function receiveUpload(request: Request, options: UploadOptions) {
  try {
    return await receive(request, options);
  } catch (error) {
    rmSync(options.file, { force: true });
    if (error instanceof ServiceError || isSystemError(error)) throw error;
    throw invalid("The upload is malformed or incomplete.");
  }
}

async function receive(request: Request, { file, maxBytes, check }: UploadOptions) {
  const tooLarge = () =>
    new ServiceError("too_large", `The file exceeds the limit of ${(maxBytes / 2 ** 30).toFixed(0)} GiB.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const { Busboy } = await import("@fastify/busboy");
  const fields = new Map<string, string>();
  let writing: Promise<void> | undefined;
  let name = "";
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  const limits = { files: 1, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, fileSize: maxBytes };
  const form = new Busboy({ headers, limits });
  form.on("field", (field, value) => void fields.set(field, value));
  form.on("file", (_field, stream, given) => {
    stream.on("limit", () => form.destroy(tooLarge()));
    stream.on("error", () => {});
    try {
      check(fields);
      name = given;
      writing = pipeline(stream, createWriteStream(file, { flags: "wx", mode: 0o600 }));
      writing.catch((error: Error) => form.destroy(error));
    } catch (refused) {
      form.destroy(refused instanceof Error ? refused : undefined);
    }
  });
  await pipeline(request.body ?? [], form);
  await writing;
  if (writing === undefined || name === "") throw invalid("Choose a file first.");
  return { fields, name };
}
