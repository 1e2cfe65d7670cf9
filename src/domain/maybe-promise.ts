/** A value, or a promise of it where waiting is needed: a free answer from memory takes no turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>;

/** Applies `work` to a value, at once if it is available, else when it resolves. Errors are thrown, or reject. */
export function andThen<T, Next>(
  value: MaybePromise<T>,
  work: (value: T) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(work) : work(value);
}

/** The value of `work`, or of `refuse` if it throws or rejects. */
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
