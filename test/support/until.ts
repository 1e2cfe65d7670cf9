/** Far beyond what a busy machine needs: only something that never happens takes so long. */
const GIVE_UP_MS = 60_000;

/**
 * Waits until something holds, however busy the machine is.
 *
 * @param what what is waited for, for the error
 * @param holds asked again and again, a few milliseconds apart
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await holds()); waitedMs += 5) {
    if (waitedMs > GIVE_UP_MS) throw new Error(`never happened: ${what}`);
    await Bun.sleep(5);
  }
}
