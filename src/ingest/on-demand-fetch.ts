/** Fetches one company on demand: its newest fiscal year is fetched, read and merged into the snapshot in use. */
import type { Runtime } from "../runtime.ts";
import type { Company } from "../domain/company.ts";
import { fetchCompany } from "./fetch-filings.ts";
import type { OnDemandOutcome } from "./on-demand.ts";
import { Edgar } from "./edgar/client.ts";
import { RateLimiter } from "./edgar/rate-limiter.ts";
import { edgarFolder, openIngestContext, realClock, type IngestContext } from "./context.ts";

/** EDGAR's origins and the contact. */
export interface OnDemandConfig {
  dataDir: string;
  contact: string;
  edgarWwwUrl: string;
  edgarDataUrl: string;
}

/** Timeout of one response from EDGAR: a caller is waiting. */
const ANSWER_MS = 20_000;
/** Timeout for one company. */
const COMPANY_MS = 120_000;
/** How long to wait after EDGAR was unreachable. */
const PAUSE_MS = 60_000;

/**
 * Creates the work function of the on-demand queue.
 *
 * @throws OperatorError if the contact is not valid
 */
export function onDemandFetch(
  config: OnDemandConfig,
  runtime: Runtime,
): (company: Company) => Promise<OnDemandOutcome> {
  const clock = realClock(runtime);
  const { contact, edgarWwwUrl: wwwUrl, edgarDataUrl: dataUrl } = config;
  const rateLimiter = new RateLimiter(edgarFolder(config.dataDir), clock);
  const patience = { timeoutMs: ANSWER_MS, tries: 2 };
  const edgar = new Edgar({ runtime, clock, rateLimiter, contact, wwwUrl, dataUrl, ...patience });
  let context: IngestContext | null = null;
  let users = 0;

  return async function fetchNewest(company) {
    context ??= openIngestContext(config.dataDir, clock, 1);
    const { workerPool } = context;
    users++;
    try {
      const { cik, name, newestKnown } = company;
      const wanted = { cik, name, years: 1, from: "", until: "", newestKnown };
      const signal = AbortSignal.timeout(COMPANY_MS);
      const deps = { ...context, edgar, isLoaded: () => false, signal };
      const fetched = await fetchCompany(deps, wanted);
      const { filings } = fetched;
      // One thread makes one commit after the other: each builds on the previous one.
      if (filings.length > 0) await workerPool.commit(config.dataDir, filings);
      return outcomeOf(fetched, clock.now());
    } finally {
      users--;
      // Threads are kept for companies that follow immediately, and released when none is waiting.
      if (users === 0) {
        context[Symbol.dispose]();
        context = null;
      }
    }
  };
}

function outcomeOf(
  { filings, failure, coolingUntilMs }: Awaited<ReturnType<typeof fetchCompany>>,
  nowMs: number,
): OnDemandOutcome {
  if (filings.some(({ observations }) => observations.length > 0)) return { kind: "held" };
  if (failure === null) {
    const why = filings.at(-1)?.filing.reason ?? "it has filed none of the forms with the table";
    return { kind: "nothing", why };
  }
  return { kind: "unavailable", why: failure, retryAtMs: Math.max(coolingUntilMs, nowMs + PAUSE_MS) };
}
