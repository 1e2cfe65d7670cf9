/** OpenID Connect scopes that clients send by default; ignored, because we are not an OpenID provider. */
const OPENID_SCOPES = ["openid", "profile", "email", "offline_access"];

/** The scopes without those of OpenID Connect; null if none are left, for the default. */
export function readScope(scope: string): readonly string[] | null {
  const names = scope.split(" ").filter((name) => name !== "" && !OPENID_SCOPES.includes(name));
  return names.length === 0 ? null : names;
}
