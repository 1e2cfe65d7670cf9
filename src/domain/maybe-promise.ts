/**
 * A value at once, or the promise of one where something must be waited for: an answer that costs nothing and is in
 * memory needs no turn of the event loop.
 */
export type MaybePromise<T> = T | Promise<T>;

/** What follows from a value: at once where it is there, else when it comes. What `work` throws is thrown, or rejects. */
export function andThen<T, Next>(
  value: MaybePromise<T>,
  work: (value: T) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(work) : work(value);
}

/** The value of `work`, or what `refuse` makes of what it throws, at once or later. */
export function orElse<T>(
  work: () => MaybePromise<T>,
  refuse: (thrown: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(refuse) : value;
  } catch (thrown) {
    return refuse(thrown);
  }
}
