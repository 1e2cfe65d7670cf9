import { and, eq, ne } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import type { Store } from "../store/open.ts";
import { pageOpenings } from "../store/schema.ts";

/** What people opened on pages by paying for it: free to them from then on, until the dataset changes. */
export class Openings {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {}

  /** @param subject what was opened, such as `history 0000320193` */
  isOpen(userId: string, dataset: string, subject: string): boolean {
    return this.store.read(
      (db) =>
        db
          .select({ atMs: pageOpenings.atMs })
          .from(pageOpenings)
          .where(
            and(
              eq(pageOpenings.userId, userId),
              eq(pageOpenings.dataset, dataset),
              eq(pageOpenings.subject, subject),
            ),
          )
          .get() !== undefined,
    );
  }

  /** Opens it; again changes nothing. What was opened on an earlier dataset goes. */
  open(userId: string, dataset: string, subject: string): Promise<void> {
    return this.store.transact((tx) => {
      tx.delete(pageOpenings)
        .where(and(eq(pageOpenings.userId, userId), ne(pageOpenings.dataset, dataset)))
        .run();
      tx.insert(pageOpenings)
        .values({ userId, dataset, subject, atMs: this.runtime.now() })
        .onConflictDoNothing()
        .run();
    });
  }
}
