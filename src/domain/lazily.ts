/** What `make` gives, made when it is first asked for: what a module would otherwise make while it is loaded. */
export function lazily<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
