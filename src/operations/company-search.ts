/** The search by name for who answers many: the first one of a dataset waits for what it needs, and nobody else does. */
import { type MaybePromise, orElse } from "../domain/maybe-promise.ts";
import type { Dataset } from "../snapshot/dataset.ts";

/** Thrown where a search is wanted before it can answer. What was begun is to be begun again when `ready` resolves. */
export class SearchPending extends Error {
  override readonly name = "SearchPending";

  constructor(readonly ready: Promise<void>) {
    super("The search by name is not ready.");
  }
}

/**
 * Companies as `Dataset.search` finds them.
 * @throws SearchPending below `whenAdmitted` and `whenSearchable`, which wait; never after `searchReady`
 */
export function searchCompanies(dataset: Dataset, words: string, max: number): string[] {
  const ready = dataset.searchReady();
  if (ready !== undefined) throw new SearchPending(ready);
  return dataset.search(words, max);
}

/** The value of `work`: at once, or when the search that it wants is ready. Until then `work` must have changed nothing. */
export function whenSearchable<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  return orElse(work, (thrown) => {
    if (!(thrown instanceof SearchPending)) throw thrown;
    return thrown.ready.then(() => whenSearchable(work));
  });
}
