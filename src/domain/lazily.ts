/** Returns a function that computes a value on first use and caches it, to keep module loading cheap. */
export function lazily<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
