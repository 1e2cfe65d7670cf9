/** Name search for a server: while the index of a dataset is being built, only searches wait for it. */
import { type MaybePromise, orElse } from "../domain/maybe-promise.ts";
import type { Dataset } from "../dataset/dataset.ts";

/** Thrown by a search whose index is not ready. Repeat the work when `ready` resolves. */
export class SearchPending extends Error {
  override readonly name = "SearchPending";

  constructor(readonly ready: Promise<void>) {
    super("The search by name is not ready.");
  }
}

/**
 * Companies found by `Dataset.search`.
 * @throws SearchPending until the index is ready; `whenAdmitted` and `whenSearchable` handle it, and it is never thrown
 * after `searchReady`
 */
export function searchCompanies(dataset: Dataset, words: string, max: number): string[] {
  const ready = dataset.searchReady();
  if (ready !== undefined) throw new SearchPending(ready);
  return dataset.search(words, max);
}

/**
 * Runs `work`, and again once the search index is ready if it was not. Until then, `work` must have no side effects.
 */
export function whenSearchable<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  return orElse(work, (thrown) => {
    if (!(thrown instanceof SearchPending)) throw thrown;
    return thrown.ready.then(() => whenSearchable(work));
  });
}
