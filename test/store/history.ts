import type { Accounts } from "../../src/server/compose.ts";
import { OPERATOR } from "../../src/accounts/audit.ts";
import { ServiceError } from "../../src/errors.ts";
import type { SeededRandom } from "../support/seeded-random.ts";
import type { TestRuntime } from "../support/runtime.ts";

/** An action on accounts, with all random choices made. */
export type Step = (world: World) => Promise<unknown>;

/** A store, and what earlier steps created in it. */
export interface World {
  accounts: Accounts;
  runtime: TestRuntime;
  users: string[];
  keys: { id: string; secret: string }[];
  sessions: string[];
  links: string[];
  groups: string[];
  clients: string[];
  codes: { code: string; clientId: string }[];
  pairs: { accessToken: string; refreshToken: string; grantId: string; clientId: string }[];
}

/** An empty store. */
export function emptyWorld(accounts: Accounts, runtime: TestRuntime): World {
  const nothing = {
    users: [],
    keys: [],
    sessions: [],
    links: [],
    groups: [],
    clients: [],
    codes: [],
    pairs: [],
  };
  return { accounts, runtime, ...nothing };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REDIRECT = "http://localhost:3118/callback";
/** @see RFC 7636 appendix B */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const BROWSER = { address: "203.0.113.7", userAgent: "a browser", previous: null };

/**
 * Last uses are recorded with any other write; a password hash differs each time, and so does the device token
 * derived from it.
 */
const OWN = new Set(["lastUsedAtMs", "lastUsedAddress", "device"]);
/** Numbers assigned by the store: PostgreSQL skips the numbers of what was refused. */
const NUMBERS = new Set(["id", "previous"]);

/** The result or refusal of a step, in the same form for every store. */
export async function outcomeOf(step: Step, world: World): Promise<unknown> {
  try {
    const text = JSON.stringify((await step(world)) ?? null, (name, value: unknown) =>
      OWN.has(name) || (NUMBERS.has(name) && typeof value !== "string") ? undefined : value,
    );
    return { answered: JSON.parse(text) as unknown };
  } catch (refused) {
    if (!(refused instanceof ServiceError)) throw refused;
    return { refused: refused.kind, message: refused.message };
  }
}

/** A random step; its subject is picked by number, so that the same step means the same in another store. */
export function randomStep(random: SeededRandom): Step {
  const make = random.pick(Object.values(STEPS));
  const share = () => random.whole(0, 999_999) / 1_000_000;
  const [a, b, c] = [share(), share(), share()];
  return (world) => make(world, a, b, c);
}

function pick<T>(list: readonly T[], at: number): T {
  const found = list[Math.floor(at * list.length)];
  if (found === undefined) throw new ServiceError("invalid_parameter", "nothing there yet");
  return found;
}

const emailOf = (at: number) => `person${Math.floor(at * 6)}@example.com`;

/** Every kind of step, by its effect. */
const STEPS: Readonly<Record<string, (world: World, a: number, b: number, c: number) => Promise<unknown>>> = {
  async findOrCreate({ accounts, users }, a) {
    const user = await accounts.users.findOrCreate(emailOf(a));
    if (!users.includes(user.id)) users.push(user.id);
    return user;
  },
  async createWithPassword({ accounts, users }, a) {
    const user = await accounts.signUps.createWithPassword(emailOf(a), "correct horse battery");
    if (!users.includes(user.id)) users.push(user.id);
    return user;
  },
  listUsers: async ({ accounts }, a) => [
    await accounts.users.page({ text: "SON", after: emailOf(a), limit: 3 }),
    await accounts.users.count("person1"),
    await accounts.users.count(""),
    await accounts.users.list(),
    await accounts.users.hasOwner(),
  ],
  disable: async ({ accounts, users }, a, b) => b < 0.3 && accounts.users.disable(pick(users, a)),
  enable: ({ accounts, users }, a) => accounts.users.enable(pick(users, a)),
  async deleteUser({ accounts, users }, a, b) {
    if (b > 0.15) return "kept";
    return accounts.users.delete(pick(users, a));
  },
  async createKey({ accounts, users, keys }, a, b) {
    const expiresAtMs = b < 0.3 ? Date.UTC(2030, 0, 1) : null;
    const created = await accounts.keys.create(pick(users, a), { name: ` key ${b} `, expiresAtMs });
    keys.push({ id: created.key.id, secret: created.secret });
    return created;
  },
  findKey: async ({ accounts, keys }, a) => {
    const found = await accounts.keys.find(pick(keys, a).secret, "198.51.100.1");
    return found && [found.keyId, found.userId];
  },
  rotateKey: async ({ accounts, keys }, a, b) => {
    const rotated = await accounts.keys.rotate(null, pick(keys, a).id, b < 0.5 ? "none" : "hour");
    keys.push({ id: rotated.key.id, secret: rotated.secret });
    return rotated;
  },
  renameKey: ({ accounts, keys }, a, b) => accounts.keys.rename(null, pick(keys, a).id, `name ${b}`),
  revokeKey: ({ accounts, keys }, a) => accounts.keys.revoke(null, pick(keys, a).id),
  listKeys: async ({ accounts, users }, a) => [
    await accounts.keys.list(pick(users, a)),
    await accounts.keys.page({ text: "ON1", before: undefined, limit: 5 }),
  ],
  charge: async ({ accounts, users, runtime }, a, b) =>
    accounts.credits.charge({
      userId: pick(users, a),
      costCredits: Math.floor(b * 12),
      operation: "history",
      ticker: b < 0.5 ? "AAPL" : null,
      requestId: runtime.id(),
    }),
  grant: ({ accounts, users }, a, b) => accounts.credits.grant(pick(users, a), Math.floor(b * 80) - 30),
  unmetered: ({ accounts, users }, a, b) => accounts.credits.setUnmetered(pick(users, a), b < 0.3),
  credits: async ({ accounts, users }, a) => {
    const id = pick(users, a);
    const usage = (by: "day" | "month", userId?: string) =>
      Array.fromAsync(accounts.credits.usage({ by, userId, sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER }));
    return [
      await accounts.credits.summary(id),
      await accounts.credits.entries(id, { limit: 50 }),
      await accounts.credits.chargedByDay(id, 0),
      await usage("day", id),
      await usage("month"),
      await accounts.credits.problems(),
    ];
  },
  rollUp: ({ accounts }, a) => accounts.credits.rollUp(Math.floor(a * 5) * DAY_MS),
  async signIn({ accounts, sessions }, a, b) {
    const password = b < 0.7 ? "correct horse battery" : "wrong";
    const signedIn = await accounts.signIns.byPassword({
      ...BROWSER,
      email: emailOf(a),
      password,
      device: null,
    });
    sessions.push(signedIn.secret);
    return signedIn;
  },
  findSession: ({ accounts, sessions }, a) => Promise.resolve(accounts.findPerson(pick(sessions, a))),
  endSession: ({ accounts, sessions }, a) => accounts.sessions.end(pick(sessions, a)),
  endSessions: ({ accounts, users }, a) => accounts.sessions.endAll(pick(users, a)),
  setRole: ({ accounts, users }, a, b) =>
    accounts.users.setRole(pick(users, a), b < 0.5 ? "owner" : "member"),
  async invite({ accounts, links, users }, a, b) {
    const actor = { ...OPERATOR, actor: pick(users, b) };
    links.push(await accounts.signUps.invite(emailOf(a), actor));
    return links.at(-1);
  },
  async resetLink({ accounts, links }, a) {
    links.push(await accounts.signUps.resetSecret(emailOf(a)));
    return links.at(-1);
  },
  findLink: ({ accounts, links }, a) => Promise.resolve(accounts.links.find(pick(links, a))),
  useLink: async ({ accounts, links, sessions }, a, b) => {
    const link = pick(links, a);
    const given = { ...BROWSER, password: "another good password" };
    const opened =
      (await accounts.links.find(link))?.kind === "reset"
        ? await accounts.signUps.reset(link, given, b < 0.5 ? "keep" : "revoke")
        : await accounts.signUps.acceptInvite(link, given);
    sessions.push(opened.secret);
    return opened;
  },
  signInByIdentity: async ({ accounts, sessions }, a, b) => {
    const claims = { issuer: "https://id.example.com", subject: `s${Math.floor(b * 4)}` };
    const opened = await accounts.signIns.byIdentity({ ...claims, verifiedEmail: emailOf(a) }, BROWSER);
    sessions.push(opened.secret);
    return opened;
  },
  async createGroup({ accounts, users, groups }, a, b) {
    const content = { name: `Group ${Math.floor(b * 5)}`, ciks: ["0000320193"] };
    const id = await accounts.peerGroups.create(pick(users, a), content);
    groups.push(id);
    return id;
  },
  changeGroup: ({ accounts, users, groups }, a, b) =>
    accounts.peerGroups.change(pick(users, a), pick(groups, b), { name: `Other ${b}`, ciks: ["0000789019"] }),
  deleteGroup: ({ accounts, users, groups }, a, b) =>
    accounts.peerGroups.delete(pick(users, a), pick(groups, b)),
  groups: async ({ accounts, users, groups }, a, b) => [
    await accounts.peerGroups.list(pick(users, a)),
    await accounts.peerGroups.find(pick(users, a), pick(groups, b)),
  ],
  open: async ({ accounts, users, runtime }, a, b, c) => {
    const [userId, dataset] = [pick(users, a), b < 0.5 ? "one" : "two"];
    const pricedBeside = c * 10 - Math.floor(c * 10) < 0.5 ? null : ["history 0"];
    const opens = { dataset, subject: `history ${Math.floor(c * 3)}`, pricedBeside };
    const price = { costCredits: 1, operation: "page:history", ticker: null };
    const charged = await accounts.credits.charge({ ...price, userId, requestId: runtime.id(), opens });
    const one = { dataset: "one", subject: "history 1" };
    return [
      charged,
      await accounts.credits.opened(userId, opens.dataset),
      await accounts.credits.opened(userId, one.dataset),
    ];
  },
  audit: async ({ accounts, users }, a) => [
    await accounts.audit.list({ limit: 20 }),
    await accounts.audit.list({ limit: 7, who: pick(users, a) }),
    await accounts.audit.list({ limit: 5, act: "key_created", sinceMs: 1 }),
  ],
  expireAudit: ({ accounts }, a) => accounts.audit.expire(Math.floor(1 + a * 20) * DAY_MS),
  async registerClient({ accounts, clients }, a) {
    const client = await accounts.grants.clients.register(
      {
        name: `App ${Math.floor(a * 3)}`,
        redirectUris: [REDIRECT],
        authMethod: a < 0.5 ? "none" : "client_secret_basic",
        grantTypes: ["authorization_code", "refresh_token"],
        applicationType: null,
      },
      { address: "203.0.113.9", exempt: a < 0.9 },
    );
    clients.push(client.client.id);
    return [client, await accounts.grants.clients.find(client.client.id)];
  },
  async decide({ accounts, users, clients, codes }, a, b, c) {
    const { requests } = accounts.grants;
    const clientId = pick(clients, a);
    const request = {
      clientId,
      clientName: "App",
      redirectUri: REDIRECT,
      state: "s",
      codeChallenge: CHALLENGE,
      resource: "https://pay.example.com/mcp",
      scope: "executive-compensation:read",
      issuer: "https://pay.example.com",
    };
    const transaction = await requests.open(request, { browser: "b", address: "203.0.113.9" });
    const found = await requests.find(transaction, "b");
    const by = { browser: "b", userId: pick(users, b), address: null, userAgent: null };
    const decided = await requests.decide(transaction, by, c < 0.9);
    const again = await requests.decide(transaction, by, false);
    if (decided.kind === "approved") codes.push({ code: decided.code, clientId });
    return [found, decided, again];
  },
  async redeem({ accounts, codes, pairs }, a, b) {
    const { code, clientId } = pick(codes, a);
    const redeemed = await accounts.grants.codes.redeem({
      code,
      clientId,
      redirectUri: REDIRECT,
      codeVerifier: b < 0.8 ? VERIFIER : "x".repeat(43),
      resource: null,
    });
    if (redeemed.ok) pairs.push({ ...redeemed.pair, clientId });
    return redeemed;
  },
  async refresh({ accounts, pairs }, a) {
    const { refreshToken, clientId } = pick(pairs, a);
    const unchanged = { scope: null, resource: null };
    const refreshed = await accounts.grants.tokens.refresh(refreshToken, clientId, unchanged);
    if (refreshed.ok) pairs.push({ ...refreshed.pair, clientId });
    return refreshed;
  },
  findToken: async ({ accounts, pairs }, a) => {
    const found = await accounts.grants.access.find(pick(pairs, a).accessToken);
    return found && [found.tokenId, found.userId, found.scope];
  },
  revokeToken: ({ accounts, pairs }, a, b) => {
    const { accessToken, refreshToken, clientId } = pick(pairs, a);
    return accounts.grants.tokens.revoke(b < 0.7 ? accessToken : refreshToken, clientId);
  },
  connections: async ({ accounts, users }, a) => [
    (await accounts.grants.connections.list(pick(users, a))).map((one) => ({ ...one, lastUsedAtMs: 0 })),
    (await accounts.grants.connections.page({ before: undefined, limit: 4 })).map(({ id }) => id),
  ],
  disconnect: ({ accounts, pairs }, a) =>
    accounts.grants.connections.disconnect(null, pick(pairs, a).grantId),
  purge: ({ accounts }) => accounts.grants.purge(),
  // oxlint-disable-next-line require-await -- a step like the others
  wait: async ({ runtime }, a) =>
    runtime.advance(Math.floor([1000, HOUR_MS, DAY_MS, 9 * DAY_MS][Math.floor(a * 4)] ?? 0)),
};
