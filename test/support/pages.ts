import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";

/** Whether page tests can run here; prints the reason if not. */
export const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) console.warn(`skipped: page tests need ${CHROMIUM} (apt-get install chromium)`);

/** A headless Chromium that makes no requests of its own. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
