import { and, eq, ne } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { Store } from "../store/store.ts";
import { result } from "../store/work.ts";
import { pageOpenings } from "../store/schema.ts";

/** Records that people paid to open on pages; they stay free for that person until the dataset changes. */
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

  /** Opens a record unless it is open, and deletes those of earlier datasets. @returns whether it was newly opened */
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
