import { and, eq, ne } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { Store } from "../store/store.ts";
import { result } from "../store/work.ts";
import { pageOpenings } from "../store/schema.ts";

/** What people opened on pages by paying for it: free to them from then on, until the dataset changes. */
export class Openings {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {}

  /** @param subject what was opened, such as `history 0000320193` */
  isOpen(userId: string, dataset: string, subject: string): MaybePromise<boolean> {
    return this.store.read(function* (db) {
      const opened = and(
        eq(pageOpenings.userId, userId),
        eq(pageOpenings.dataset, dataset),
        eq(pageOpenings.subject, subject),
      );
      const row = yield* result(
        db.select({ atMs: pageOpenings.atMs }).from(pageOpenings).where(opened).get(),
      );
      return row !== undefined;
    });
  }

  /** Opens it, or finds that it is open. What was opened on an earlier dataset goes. @returns whether it was not open before */
  open(userId: string, dataset: string, subject: string): Promise<boolean> {
    const { runtime } = this;
    return this.store.transact(function* (tx) {
      const earlier = and(eq(pageOpenings.userId, userId), ne(pageOpenings.dataset, dataset));
      yield* result(tx.delete(pageOpenings).where(earlier).run());
      const row = { userId, dataset, subject, atMs: runtime.now() };
      const opened = tx.insert(pageOpenings).values(row).onConflictDoNothing().returning().get();
      return (yield* result(opened)) !== undefined;
    });
  }
}
