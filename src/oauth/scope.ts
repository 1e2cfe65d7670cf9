/** Scopes of OpenID Connect that clients send out of habit; we are no OpenID provider, so they mean nothing here. */
const HABITS = ["openid", "profile", "email", "offline_access"];

/** The names in a scope parameter without those of OpenID Connect; null when nothing is left, which means the default. */
export function readScope(scope: string): readonly string[] | null {
  const names = scope.split(" ").filter((name) => name !== "" && !HABITS.includes(name));
  return names.length === 0 ? null : names;
}
