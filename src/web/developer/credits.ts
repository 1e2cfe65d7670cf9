import type { CreditSummary, LedgerEntry } from "../../accounts/credits.ts";
import { type Html, html } from "../../html.ts";
import { lastDays, time } from "./time.ts";

/** Days that the chart shows. */
export const CHART_DAYS = 30;

/** Ledger entries on one page. */
export const ENTRIES = 20;

/** What is charged, as the configuration has it. */
export interface Prices {
  priceTickers: number;
  priceLatest: number;
  priceHistory: number;
}

/** Balance, prices, and what to do when the credits are used up. */
export function creditsSection(summary: CreditSummary, prices: Prices, note: string): Html {
  const { balance, given, granted, charged, unmetered } = summary;
  return html`<section aria-labelledby="credits">
    <h2 id="credits">Credits</h2>
    ${
      unmetered
        ? html`<p class="figure">Unmetered</p>`
        : html`<p class="figure"><strong id="balance">${balance}</strong> left</p>
            <p class="soft">
              ${given} free credits${granted !== 0 && `, ${granted} added by the operator`}, ${charged} used.
              All your keys and connected apps share them.
            </p>`
    }
    <ul>
      <li>Latest fiscal year: ${price(prices.priceLatest)}</li>
      <li>History: ${priceOfRequest(prices.priceHistory)}, any number of years</li>
      <li>List of tickers: ${price(prices.priceTickers)}</li>
      <li>Errors and unchanged answers (304): free</li>
    </ul>
    ${note !== "" && html`<p class="note" id="more-credits">${note}</p>`}
  </section>`;
}

function price(credits: number): string {
  if (credits === 0) return "free";
  return credits === 1 ? "1 credit" : `${credits} credits`;
}

function priceOfRequest(credits: number): string {
  return credits === 0 ? "free" : `${price(credits)} per request`;
}

/** The chart of the last 30 days and the newest ledger entries. */
export function useSection(
  byDay: readonly { day: string; credits: number; charges: number }[],
  entries: readonly LedgerEntry[],
  nowMs: number,
): Html {
  const older = entries.at(-1)?.previous ?? null;
  return html`<section aria-labelledby="use">
    <h2 id="use">Usage</h2>
    ${chart(byDay, nowMs)}
    ${
      entries.length > 0 &&
      html`<div class="scroll">
        <table>
          <caption>
            Ledger, newest first (UTC)
          </caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Ticker</th>
              <th scope="col" class="number">Credits</th>
              <th scope="col" class="number">Balance</th>
            </tr>
          </thead>
          <tbody>
            ${entries.map(
              (entry) =>
                html`<tr>
                  <td>${time(entry.atMs)}</td>
                  <td>${entry.operation ?? entry.kind}</td>
                  <td>${entry.ticker}</td>
                  <td class="number">${signed(entry.amountCredits)}</td>
                  <td class="number">${entry.balanceAfterCredits}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${older !== null && html`<p><a href="/developer?from=${older}#use">Older entries</a></p>`}
  </section>`;
}

function signed(credits: number): string {
  return credits > 0 ? `+${credits}` : `−${-credits}`;
}

/** Bars as SVG: no script, no style of its own, with a text alternative. */
function chart(byDay: readonly { day: string; credits: number }[], nowMs: number): Html {
  const spent = new Map(byDay.map(({ day, credits }) => [day, credits]));
  const days = lastDays(nowMs, CHART_DAYS).map((day) => ({ day, credits: spent.get(day) ?? 0 }));
  const most = Math.max(1, ...days.map(({ credits }) => credits));
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  const bar = ({ day, credits }: { day: string; credits: number }, index: number) => {
    const height = credits === 0 ? 1 : Math.max(3, Math.round((credits / most) * 96));
    return html`<rect x="${index * 20 + 2}" y="${100 - height}" width="16" height="${height}" rx="2"
      ><title>${day}: ${credits}</title></rect
    >`;
  };
  return html`<figure class="chart">
    <svg
      viewBox="0 0 ${CHART_DAYS * 20} 100"
      preserveAspectRatio="none"
      role="img"
      aria-label="Credits used per day, last ${CHART_DAYS} days: ${total} in total, at most ${most} on one day"
    >
      ${days.map(bar)}
    </svg>
    <figcaption class="soft">
      Credits used per day, ${days[0]?.day} to ${days.at(-1)?.day}: ${total} in total.
    </figcaption>
  </figure>`;
}
