/** What is done for one company on demand: its newest fiscal year is fetched, read and joined to the snapshot in use. */
import type { Runtime } from "../runtime.ts";
import type { Company } from "../domain/company.ts";
import { fetchCompany } from "./fetch-filings.ts";
import type { DemandOutcome } from "./demand.ts";
import { createEdgar } from "./edgar/client.ts";
import { fileRateLimiter } from "./edgar/rate-limiter.ts";
import type { Reading } from "./reading.ts";
import { edgarFolder, openIngestContext, realClock, type IngestContext } from "./context.ts";

/** Where EDGAR is and who asks. */
export interface DemandConfig {
  dataDir: string;
  contact: string;
  edgarWwwUrl: string;
  edgarDataUrl: string;
}

/** Longest time for one answer of EDGAR: a caller is waiting. */
const ANSWER_MS = 20_000;
/** Longest time for one company. */
const COMPANY_MS = 120_000;
/** How long nothing is tried again after EDGAR was out of reach. */
const PAUSE_MS = 60_000;

/**
 * The work that a demand queue does.
 *
 * @throws OperatorError when the contact is none
 */
export function demandWork(
  config: DemandConfig,
  runtime: Runtime,
): (company: Company) => Promise<DemandOutcome> {
  const clock = realClock(runtime);
  const rateLimiter = fileRateLimiter(edgarFolder(config.dataDir), clock);
  const edgar = createEdgar({
    runtime,
    clock,
    rateLimiter,
    contact: config.contact,
    wwwUrl: config.edgarWwwUrl,
    dataUrl: config.edgarDataUrl,
    timeoutMs: ANSWER_MS,
    tries: 2,
  });
  let ingest: IngestContext | null = null;
  let users = 0;
  let lastCommit: Promise<void> = Promise.resolve();

  /** One commit at a time: each builds on the one before. */
  async function commit(readings: readonly Reading[]): Promise<void> {
    const before = lastCommit;
    const { promise, resolve } = Promise.withResolvers<void>();
    lastCommit = promise;
    await before;
    try {
      await ingest?.workerPool.commit(config.dataDir, readings);
    } finally {
      resolve();
    }
  }

  return async function fetchNewest(company) {
    ingest ??= openIngestContext(config.dataDir, clock, 1);
    users++;
    try {
      const wanted = {
        cik: company.cik,
        name: company.name,
        years: 1,
        from: "",
        until: "",
        known: company.newestKnown,
      };
      const signal = AbortSignal.timeout(COMPANY_MS);
      const deps = { ...ingest, edgar, patient: false, isLoaded: () => false, signal };
      const { readings, failure, coolingUntilMs } = await fetchCompany(deps, wanted);
      if (readings.length > 0) await commit(readings);
      if (readings.some(({ observations }) => observations.length > 0)) return { kind: "held" };
      if (failure === null) {
        const why = readings.at(-1)?.filing.reason ?? "it has filed none of the forms that carry the table";
        return { kind: "nothing", why };
      }
      return {
        kind: "unavailable",
        why: failure,
        retryAtMs: Math.max(coolingUntilMs, clock.now() + PAUSE_MS),
      };
    } finally {
      users--;
      // Threads are kept for a company that comes right behind, and let go when nobody waits.
      if (users === 0) {
        ingest[Symbol.dispose]();
        ingest = null;
      }
    }
  };
}
