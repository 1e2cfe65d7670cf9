import { SERVER } from "../../accounts/audit.ts";
import type { IngestProgress, IngestRequest, IngestStatus } from "../../jobs/ingest.ts";
import { counted, numeral } from "../../lib/text.ts";
import { invalid } from "../../errors.ts";
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import { choice, field } from "../fields.ts";
import { section, time } from "../account-tables.ts";
import type { AdminAct, AdminDeps, AdminPage, OwnerVisit } from "./frame.ts";

const MAX_SYMBOLS = 100;
const SYMBOL = /^[A-Za-z0-9][A-Za-z0-9.\-/]{0,11}$/;

/** `/admin/ingest`: ingesting filings, and its progress. */
export function ingestPage(deps: AdminDeps): AdminPage {
  const { ingestAdmin, audit } = deps;
  return {
    title: "Ingest",
    main(visit) {
      const { unavailable } = ingestAdmin;
      const status = ingestAdmin.status();
      return html`${unavailable !== null && html`<p class="note">${unavailable}</p>`}
        ${progressSection(visit, status)}
        ${unavailable === null && status.running === "no" && startForms(visit)}
        <p>
          <a href="${ROUTES.coverage.path}?status=pending">Companies whose newest filing has not been read</a>
        </p>`;
    },
    acts: {
      start: async ({ fields, actor }) => {
        const ingestRequest = readIngestRequest(fields);
        if (ingestAdmin.status().running !== "no")
          throw invalid("An ingest is already running. Wait until it ends, or stop it.");
        await audit.record(actor, { act: "ingest_started", after: { asked: requestText(ingestRequest) } });
        ingestAdmin.start(ingestRequest, () => void recordInstalled(deps));
        return { note: "The ingest has started. This page shows its progress." };
      },
      stop: stopAct(deps),
    },
  };
}

/** Stops this server's ingest. */
export function stopAct({ ingestAdmin, audit }: AdminDeps): AdminAct {
  return {
    ask: () => ({
      question: "Stop the ingest? Fetched filings are kept, and the next ingest continues from there.",
      button: "Stop",
    }),
    async run({ actor }) {
      if (!ingestAdmin.stop()) throw invalid("No ingest of this server is running.");
      await audit.record(actor, { act: "ingest_stopped" });
      return { note: "The ingest was stopped." };
    },
  };
}

/** Records the dataset that an ingest has installed. */
export async function recordInstalled({ ingestAdmin, audit }: AdminDeps): Promise<void> {
  const { progress, failure } = ingestAdmin.status();
  if (progress === null || progress.snapshot === null || failure !== null) return;
  const after = { rows: progress.rows, asked: progress.request };
  // A store that cannot be written to reports that itself.
  const deed = { act: "dataset_installed", subject: progress.snapshot, after } as const;
  await audit.record(SERVER, deed).catch(() => {});
}

function readIngestRequest(fields: ReadonlyMap<string, string>): IngestRequest {
  const given = (name: string) => (fields.get(name) ?? "").trim();
  if (given("what") === "pending") {
    const limit = wholeNumber("filings", given("limit"), 100_000);
    return { kind: "pending", limit, index: given("index") === "sp500" ? "sp500" : null };
  }
  const symbols = given("symbols")
    .split(/[\s,]+/)
    .filter((symbol) => symbol !== "");
  const wrong = symbols.find((symbol) => !SYMBOL.test(symbol));
  if (wrong !== undefined || symbols.length === 0 || symbols.length > MAX_SYMBOLS)
    throw invalid(
      `Cannot read the tickers ${JSON.stringify(wrong ?? given("symbols").slice(0, 40))}: expected 1 to ${MAX_SYMBOLS}, such as F, MAR.`,
    );
  return { kind: "companies", symbols, years: wholeNumber("years", given("years"), 100) };
}

function wholeNumber(what: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= 1 && number <= most) return number;
  throw invalid(`Cannot read ${what} ${JSON.stringify(text)}: expected a whole number from 1 to ${most}.`);
}

/** What an ingest was asked for, for the audit log. */
export function requestText(ingestRequest: IngestRequest): string {
  if (ingestRequest.kind === "companies")
    return `ticker ${ingestRequest.symbols.join(",").slice(0, 200)}, years ${ingestRequest.years}`;
  if (ingestRequest.kind === "since") return `since ${ingestRequest.since}`;
  if (ingestRequest.kind === "members")
    return `${ingestRequest.filings} filings of ${ingestRequest.ciks.length} members of the S&P 500 since ${ingestRequest.since}`;
  return `pending, limit ${ingestRequest.limit}${ingestRequest.index === null ? "" : `, index ${ingestRequest.index}`}`;
}

/** Of which companies, and how much of them, by the words of the command line. */
const ASKED_OF: Readonly<Record<string, (value: string) => string>> = {
  ticker: (symbols) => ` of ${symbols.split(",").join(", ")}`,
  cik: (ciks) => ` of ${ciks.endsWith("companies") ? ciks : `CIK ${ciks.split(",").join(", ")}`}`,
  index: () => " of S&P 500 companies",
};
const ASKED: Readonly<Record<string, (value: string) => string>> = {
  pending: () => " that had not been read",
  years: (years) => `, ${counted(Number(years), "fiscal year")} of each`,
  since: (day) => `, filed since ${day}`,
  limit: (most) => `, the newest ${numeral(Number(most))} at most`,
};

/** What an ingest was asked for, as a sentence; the words of the command line where these pages do not ask so. */
export function askedFor(request: string): HtmlPart {
  const given = new Map(
    request.split(", ").map((part) => {
      const [, name = "", value = ""] = /^(\w+) ?(.*)$/.exec(part) ?? [];
      return [name, value];
    }),
  );
  const asked = { ...ASKED_OF, ...ASKED };
  if ([...given.keys()].some((name) => !Object.hasOwn(asked, name)))
    return html`From the command line: <code>${request}</code>`;
  const said = Object.entries(asked).map(([name, say]) => {
    const value = given.get(name);
    return value === undefined ? "" : say(value);
  });
  return `${given.has("pending") ? "Known filings" : "Proxy statements"}${said.join("")}.`;
}

function progressSection(visit: OwnerVisit, { running, progress, failure, warning }: IngestStatus): Html {
  const isRunning = running !== "no";
  return html`<section id="progress" aria-labelledby="progress-title" ${isRunning && html` data-live`}>
    <h2 id="progress-title">${isRunning ? "Running now" : "Last ingest"}</h2>
    ${progress === null ? html`<p>${isRunning ? "Starting…" : "No ingest yet."}</p>` : progressDetails(progress)}
    ${failure !== null && !isRunning && html`<p class="error">${failure}</p>`}
    ${warning !== null && !isRunning && html`<p class="note">${warning}</p>`}
    ${running === "own" && visit.form("stop", html`<button class="danger">Stop</button>`)}
    ${isRunning && REFRESH}
  </section>`;
}

const REFRESH = html`<p>
  <a href="${ROUTES.adminIngest.path}">Refresh</a>
  <span class="soft">(automatic if scripts are enabled)</span>
</p>`;

function progressDetails(progress: IngestProgress): Html {
  const { request, done, total, documents, rows, problems, failed = 0 } = progress;
  const { bytes, seconds, state, updatedAtMs, report } = progress;
  const left = done === 0 || state === "ended" ? null : Math.ceil(((total - done) * seconds) / done);
  const running = html`<p>
    <progress max="${Math.max(1, total)}" value="${done}" aria-label="Companies done"></progress>
    ${done} of ${total} companies, ${documents} documents, ${rows} rows, ${problems} problems, ${failed}
    failed, ${(bytes / 1e6).toFixed(1)} MB${left !== null && `, about ${left} s left`}
  </p>`;
  return html`<p>
      ${askedFor(request)}
      <span class="soft">${state === "ended" ? "ended" : "last update"} ${time(updatedAtMs)}</span>
    </p>
    ${state === "running" && running}
    ${report.length > 0 && html`<pre tabindex="0">${report.join("\n")}</pre>`}`;
}

function startForms(visit: OwnerVisit): Html {
  const form = (what: string, fields: Html) => visit.form("start", fields, { hidden: { what } });
  return html`${section("companies", "Ingest companies", form("companies", COMPANIES))}
  ${section("known", "Ingest known filings", form("pending", KNOWN))}`;
}

const SYMBOLS = { name: "symbols", required: true, maxlength: 1000, placeholder: "F, MAR" };
const NUMBER = { inputmode: "numeric", required: true };

const COMPANIES = html`<div class="row panel filters">
  ${field("Tickers", SYMBOLS, { className: "wide" })}
  ${field("Fiscal years", { name: "years", ...NUMBER, pattern: "[0-9]{1,3}", value: 1 })}
  <button class="primary">Ingest</button>
</div>`;

const KNOWN = html`<div class="row panel filters">
  ${field("Filings at most", { name: "limit", ...NUMBER, pattern: "[0-9]{1,6}", value: 100 })}
  ${choice("Companies", "index", [
    ["", "All"],
    ["sp500", "S&P 500"],
  ])}
  <button class="primary">Ingest</button>
  <span class="soft">Newest first, up to 8 requests per second.</span>
</div>`;
