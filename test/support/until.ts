/** Far longer than a busy machine needs: only something that never happens takes so long. */
const GIVE_UP_MS = 60_000;

/**
 * Waits until a condition holds, however busy the machine is.
 *
 * @param what description for the error
 * @param holds the condition, polled every few milliseconds
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await holds()); waitedMs += 5) {
    if (waitedMs > GIVE_UP_MS) throw new Error(`never happened: ${what}`);
    await Bun.sleep(5);
  }
}
