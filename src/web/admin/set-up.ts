/** `/admin` after set-up: four things to set, and one big load. It goes once they are done. */
import { memberCoverage, type MemberCoverage } from "../../dataset/members.ts";
import { counted, numeral } from "../../lib/text.ts";
import { invalid, messageOf, ServiceError } from "../../errors.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { redirectTo } from "../../http/html-responses.ts";
import { ROUTES } from "../../http/routes.ts";
import { newestBackup, tryBackupFolder } from "../../jobs/backups.ts";
import type { IngestStatus } from "../../jobs/ingest.ts";
import { normalizeEmail } from "../../accounts/users.ts";
import { factsOf, time } from "../account-tables.ts";
import { checkbox, field } from "../fields.ts";
import { plainTable } from "../parts/tables.ts";
import { callbackOf } from "../pages/single-sign-on.ts";
import type { AdminDeps, AdminPage, OwnerVisit } from "./frame.ts";
import { recordInstalled, requestText, stopAct } from "./ingest.ts";
import { duration, settingTests } from "./server.ts";

const INDEX = "sp500";
const REQUESTS_PER_SECOND = 8;

/** Whether something is left to set or to load, so that the page is there. */
export async function needsSetUp(deps: AdminDeps): Promise<boolean> {
  return isUnset(await thingsOf(deps)) || loadOf(deps).left > 0;
}

function isUnset(things: readonly Thing[]): boolean {
  return things.some(({ isSet }) => !isSet);
}

/** `/admin`: what is left to set, and the load of the S&P 500. */
export function setUpPage(deps: AdminDeps): AdminPage {
  return {
    title: "Four things to set, one to load",
    async main(visit) {
      const [things, load] = [await thingsOf(deps), loadOf(deps)];
      if (!isUnset(things) && load.left === 0) return redirectTo(visit.url.origin + ROUTES.adminUsers.path);
      return html`<p class="meta">
          This server works already; all five can wait, and this page goes away once they are done.
          <a href="${ROUTES.adminSettings.path}">Settings</a> shows what is set.
        </p>
        <div class="todo">${things.map((thing) => thingPart(visit, thing))}</div>
        ${loadPart(deps, visit, load)}`;
    },
    acts: {
      ...settingTests(deps),
      backups: () => {
        const { backupDir } = deps.config;
        if (backupDir === "") throw invalid("No folder for backups is set.");
        tryBackupFolder(backupDir);
        return { note: `A file could be written to ${backupDir}.` };
      },
      contact: async () => {
        const { config, runtime, ingestAdmin } = deps;
        const { host } = new URL(config.edgarWwwUrl);
        const { status } = await runtime
          .fetch(`${config.edgarWwwUrl}/files/company_tickers_exchange.json`, {
            method: "HEAD",
            headers: { "user-agent": ingestAdmin.contact },
            signal: AbortSignal.timeout(PATIENCE_MS),
          })
          .catch((error: unknown) => {
            const why = messageOf(error).replace(/\.$/, "");
            throw new ServiceError(
              "unavailable",
              `${host} cannot be reached (${why}). Check the network and the firewall of this machine.`,
            );
          });
        if (status >= 400) throw new ServiceError("unavailable", `EDGAR answers ${status}. Try again later.`);
        return { note: `EDGAR answers ${ingestAdmin.contact}.` };
      },
      load: async ({ given, actor }) => {
        const { ingestAdmin, audit } = deps;
        const contact = readContact(given("name"), given("email"));
        const members = membersOf(deps);
        if (members.filings === 0) throw invalid("Nothing is left to load.");
        const asked = requestText({ kind: "members", ...members });
        await audit.record(actor, { act: "ingest_started", after: { asked } });
        ingestAdmin.load(members, contact, () => void recordInstalled(deps));
        return null;
      },
      stop: stopAct(deps),
    },
  };
}

const PATIENCE_MS = 10_000;

/** Whom the SEC is told, on one line. Refuses what is no name and no address. */
function readContact(name: string, email: string): string {
  const plain = name.trim();
  if (!/^[\x20-\x7e]{1,100}$/.test(plain) || plain.includes("@"))
    throw invalid("The SEC wants a name, in plain letters, beside the address: a person's or a company's.");
  return `${plain} ${normalizeEmail(email)}`;
}

/** One of the four things: its state, what it is for, and how it is set. */
interface Thing {
  title: string;
  isSet: boolean;
  state: string;
  about: HtmlPart;
  /** The lines of the configuration file, under the words of a button. */
  set: { words: string; lines: string } | null;
  /** The act that tries it, and what else there is to press. */
  test: string | null;
  more?: HtmlPart;
}

async function thingsOf(deps: AdminDeps): Promise<Thing[]> {
  const { outbox, provider, config, ingestAdmin, users, links } = deps;
  const isAlone = (await users.count("")) < 2 && (await links.pending()).length === 0;
  return [
    {
      title: "Mail",
      isSet: outbox !== null || ingestAdmin.offline,
      state: outbox !== null ? "set" : ingestAdmin.offline ? "offline" : "not set",
      about:
        "Invitations and new passwords are links that you pass on yourself. With a mail server, they are sent for you.",
      set: ingestAdmin.offline
        ? null
        : {
            words: "Set up mail",
            lines: 'smtp-url = "smtps://USER:PASSWORD@smtp.example.com"\nmail-from = "pay@example.com"',
          },
      test: outbox === null ? null : "mail",
    },
    {
      title: "Sign-in",
      isSet: provider !== null || !isAlone || config.signUp !== "invite",
      state:
        provider !== null ? config.ssoName : config.signUp === "invite" ? "by invitation" : config.signUp,
      about: "People get in with a link from you. A provider (OpenID Connect) can let in whole domains.",
      set: ingestAdmin.offline
        ? null
        : {
            words: "Add a provider",
            lines:
              'sso-issuer = "https://login.example.com"\nsso-client-id = "execcomp"\nsso-client-secret = "…"\nsso-domains = ["example.com"]',
          },
      test: provider === null ? null : "provider",
      more: html`<a class="button" href="${ROUTES.adminUsers.path}#invite">Invite someone</a>`,
    },
    backupThing(deps),
    contactThing(deps),
  ];
}

function contactThing({ config, ingestAdmin }: AdminDeps): Thing {
  return {
    title: "Contact for EDGAR",
    isSet: ingestAdmin.contact !== "" || ingestAdmin.offline,
    state: ingestAdmin.contact !== "" ? "set" : ingestAdmin.offline ? "offline" : "not set",
    about:
      config.contact !== "" || ingestAdmin.contact === ""
        ? "The SEC wants a name and an e-mail address with every request. Without them nothing is fetched."
        : html`${ingestAdmin.contact} is kept for loads from these pages. Companies that people ask for are
          fetched only with the setting.`,
    set: ingestAdmin.offline
      ? null
      : { words: "Set the contact", lines: `contact = "${ingestAdmin.contact || "Ann ann@example.com"}"` },
    test: ingestAdmin.contact === "" || ingestAdmin.offline ? null : "contact",
    more:
      ingestAdmin.contact === "" &&
      !ingestAdmin.offline &&
      html`<span class="soft">asked below, kept for later loads</span>`,
  };
}

function backupThing({ config, backups }: AdminDeps): Thing {
  const { backupDir, backupEvery, backupKeep, store } = config;
  const copies = `a copy every ${duration(backupEvery / 1000)}, each verified, ${backupKeep} kept`;
  const newest = backupDir === "" ? null : newestBackup(backupDir);
  const title = "Backups";
  if (store !== "")
    return { title, isSet: true, state: "PostgreSQL", about: "Use pg_dump.", set: null, test: null };
  return {
    title,
    isSet: backupDir !== "" && backups.failure === null,
    state:
      backups.failure !== null
        ? "failed"
        : backupDir === ""
          ? "none yet"
          : newest === null
            ? "the first is due"
            : `last ${newest}`,
    about:
      backups.failure ??
      `Users, keys and credits are one file. ${backupDir === "" ? "Name a folder" : backupDir}: ${copies}.`,
    set: { words: "Choose a folder", lines: 'backup-dir = "/var/backups/execcomp"' },
    test: backupDir === "" ? null : "backups",
    more: html`<a class="button" href="${ROUTES.adminBackup.path}">Download one</a>`,
  };
}

function thingPart(visit: OwnerVisit, { title, state, isSet, about, set, test, more }: Thing): Html {
  const redirect =
    title === "Sign-in" &&
    html`<p>Register this redirect address with it: <code>${callbackOf(visit.context.baseUrls)}</code></p>`;
  return html`<section class="thing">
    <h2>${title} <span class="${isSet && "done"}">${state}</span></h2>
    <p>${about}</p>
    <div class="row actions">
      ${
        test !== null
          ? visit.form(test, html`<button>Test</button>`)
          : set !== null &&
            html`<details>
              <summary class="button">${set.words}</summary>
              <p>In the configuration file (<code>--config FILE</code>), then restart:</p>
              <pre tabindex="0">${set.lines}</pre>
              ${redirect}
            </details>`
      }
      ${more}
    </div>
  </section>`;
}

type Load = ReturnType<typeof loadOf>;

function membersOf({ snapshots }: AdminDeps): MemberCoverage {
  return memberCoverage(snapshots.current(), INDEX);
}

/** The state of the big load. */
function loadOf(deps: AdminDeps) {
  const status = deps.ingestAdmin.status();
  const members = membersOf(deps);
  const { load, progress, running } = status;
  const isBegun = load !== null && progress?.state === "running" && running === "no";
  // What was fetched before a stop is on the disk, and is in no dataset yet.
  const left = isBegun ? Math.max(1, load.filings - progress.documents) : members.filings;
  return { status, members, left: Math.min(left, members.filings), wasStarted: load !== null };
}

function loadPart(deps: AdminDeps, visit: OwnerVisit, load: Load): Html {
  const { running } = load.status;
  return html`<section
    id="load"
    class="load"
    aria-labelledby="load-title"
    ${running !== "no" && html`data-live`}
  >
    ${running !== "no" ? loading(visit, load.status) : deps.ingestAdmin.offline ? elsewhere(load.members, visit) : offer(deps, visit, load)}
  </section>`;
}

/** The form that starts or continues the load. */
function offer(deps: AdminDeps, visit: OwnerVisit, { status, members, left, wasStarted }: Load): Html {
  const { load, failure } = status;
  const known = deps.ingestAdmin.contact;
  const at = known.lastIndexOf(" ");
  const named = { name: known.slice(0, Math.max(at, 0)), email: known.slice(at + 1) || visit.who.email };
  const button = wasStarted ? `Continue, ${numeral(left)} left` : "Load the S&P 500";
  const fields = html`<div class="row">
    ${field("Name for the SEC", { name: "name", value: named.name, required: true, maxlength: 100, autocomplete: "name" })}
    ${field("E-mail for the SEC", { type: "email", name: "email", value: named.email, required: true, maxlength: 254 })}
    <button class="primary">${button}</button>
  </div>`;
  const { unavailable } = deps.ingestAdmin;
  return html`<div class="wide-two">
      <div>
        <h2 id="load-title">Load the S&amp;P 500 from the SEC</h2>
        ${
          members.filings === 0
            ? html`<p>
                Every known proxy statement of its members was tried: it was read, refused or not there.
              </p>`
            : html`<p>
                  Reads the newest proxy statement of each member that has not been read: about
                  ${numeral(members.filings)} filings, ${numeral(members.collected)} of them in place of
                  collected rows, the others of members without rows or newer than their rows;
                  ${minutesOf(members.filings)} at ${REQUESTS_PER_SECOND} requests a second, from www.sec.gov
                  and data.sec.gov only. You can leave this page; an interrupted load continues where it
                  stopped.
                </p>
                ${failure !== null && html`<p class="error" role="alert">${failure}</p>`}
                ${unavailable !== null && known !== "" ? html`<p class="note">${unavailable}</p>` : visit.form("load", fields)}
                <p class="foot">
                  Sent with each request to the SEC, to nobody else. The dataset in use stays;
                  <a href="${ROUTES.adminDataset.path}">roll back</a> returns to it.
                </p>`
        }
      </div>
      ${figures(deps, members)}
    </div>
    ${load !== null && outcome(status)}
    ${
      failure !== null &&
      html`<details>
        <summary>This server has no network?</summary>
        ${steps(members, visit)}
      </details>`
    }`;
}

/** How long so many filings take, each with the list of its company. */
function minutesOf(filings: number): string {
  const seconds = (2 * filings) / REQUESTS_PER_SECOND;
  if (seconds < 60) return "less than a minute";
  const minutes = Math.floor(seconds / 60);
  return `${minutes} to ${counted(minutes + 1, "minute")}`;
}

function figures({ snapshots }: AdminDeps, members: MemberCoverage): Html {
  const { edition, rows, bytes } = snapshots.current().info;
  const lines: readonly (readonly [string, string])[] = [
    ["Members of the S&P 500 today", numeral(members.members)],
    ["with pay by component", numeral(members.withRows)],
    ["with the CEO’s total, from rows or as tagged", numeral(members.withTotal)],
    ["without pay by component, with a known proxy statement", numeral(members.unloaded)],
    [`the dataset in use, edition ${edition}`, `${numeral(rows)} rows, ${(bytes / 1e6).toFixed(1)} MB`],
  ];
  return factsOf(lines, "lines");
}

/** The same panel while it loads, also an ingest that was started elsewhere. */
function loading(visit: OwnerVisit, status: IngestStatus): Html {
  const { progress, running, load } = status;
  const total = load?.filings ?? progress?.total ?? 0;
  const done = Math.min(load === null ? (progress?.done ?? 0) : (progress?.documents ?? 0), total);
  const left = total - done;
  const stop = visit.form("stop", html`<button>Stop</button>`);
  return html`<div class="row between">
      <h2 id="load-title" role="status">
        ${numeral(done)} of ${counted(total, load === null ? "company" : "filing")}
      </h2>
      <span class="soft"
        >${numeral(left)} left, ${minutesOf(left)} at ${REQUESTS_PER_SECOND} requests a second</span
      >
    </div>
    <progress max="${Math.max(1, total)}" value="${done}" aria-labelledby="load-title"></progress>
    ${outcome(status)}
    <div class="row actions">
      ${running === "own" && stop}
      <span class="soft">
        What is fetched is kept: after a stop, a restart or a lost connection the button reads “Continue,
        ${numeral(left)} left”. <a href="${visit.url.pathname}">Refresh</a>
      </span>
    </div>`;
}

/** What came and what was refused. */
function outcome({ progress, running }: IngestStatus): Html | false {
  if (progress === null) return running !== "no" && html`<p>Starting…</p>`;
  const { state, read = 0, refused = 0, failed = 0, reasons = [], updatedAtMs } = progress;
  // Also after a restart, when nothing but the progress is known.
  const isPartly = running === "no" && state === "ended" && failed > 0 && read > 0;
  const number = (count: number) => (count === 0 ? "none" : numeral(count));
  const heads = ["Why refused or failed", { number: "How often" }, "Filings or companies"];
  const lines = reasons.map(({ reason, n, filings }) => [
    reason,
    numeral(n),
    html`<details>
      <summary>which</summary>
      ${filings.join(", ")}${n > filings.length && " …"}
    </details>`,
  ]);
  return html`<p>
      <strong>${numeral(read)}</strong> read, <strong>${number(refused)}</strong> refused, ${number(failed)}
      failed
      <span class="soft">· ${running === "no" ? "ended" : "as of"} ${time(updatedAtMs, "second")}</span>
    </p>
    ${
      isPartly &&
      html`<p class="warning" role="status">
        Done with a warning: ${counted(failed, "filing")} could not be fetched or read. What was read is in
        use; the next load tries them again.
      </p>`
    }
    ${
      lines.length > 0 &&
      html`${plainTable(heads, lines)}
        <p class="foot">
          A refused filing adds no rows; where the filer tagged the CEO’s total, that stays.
        </p>`
    }`;
}

/** The same panel on a server without a network. */
function elsewhere(members: MemberCoverage, visit: OwnerVisit): Html {
  return html`<h2 id="load-title">Load elsewhere, carry one file here</h2>
    ${steps(members, visit)}
    <p class="foot">
      Started with <code>--offline</code>: no socket is opened but the listener’s. Without it, a button here
      loads the S&amp;P 500 from the SEC.
    </p>`;
}

function steps({ since }: MemberCoverage, visit: OwnerVisit): Html {
  const upload = html`<div class="row">
    ${field("The file", { type: "file", name: "file", required: true })}
    ${checkbox("Trust its signer", { name: "trust", value: "yes" })} <button>Install pay.sqlite</button>
  </div>`;
  const options = { action: ROUTES.adminUpload.path, encoding: "multipart/form-data" } as const;
  return html`<ol class="steps">
    <li>
      On a machine with a network, with the same program:
      <pre tabindex="0">
execcomp ingest --pending --index sp500 --since ${since} --contact "Ann ann@example.com"
execcomp data export --format sqlite --out pay.sqlite</pre>
    </li>
    <li>
      Carry <code>pay.sqlite</code> here. It is signed by that machine’s operator key;
      <code>execcomp data verify pay.sqlite</code> prints the key on both machines, to compare.
    </li>
    <li>
      Install it, and trust the new signer once; the server switches within a second.
      ${visit.form("install", upload, options)}
    </li>
  </ol>`;
}
