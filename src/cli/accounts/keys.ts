import { type Key, type OVERLAPS_MS, readKeyName } from "../../accounts/keys.ts";
import { isTestKey } from "../../accounts/credentials.ts";
import { type Io, sameFolder } from "../command.ts";
import { timeOf, accountsCommand, requireUser } from "./accounts.ts";
import { OUTPUT_FLAGS, printAnswer, numberFlag } from "../output.ts";
import type { TextColumn } from "../../lib/text-table.ts";
import { DAY_MS } from "../../domain/fiscal-year.ts";

const OVERLAPS = ["none", "hour", "day", "week"] as const satisfies (keyof typeof OVERLAPS_MS)[];

const keyOperand = [{ name: "ID", about: "The key's id, as `keys list` shows it." }];

/** `execcomp keys create` */
export const create = accountsCommand({
  name: "keys create",
  summary: "Create an API key, and its user if there is none.",
  details:
    "The key is shown only once, on its own line of standard output. A user's first key comes with 100 free credits.\n" +
    "Takes effect at once, on a running server too.",
  flags: {
    user: { value: "EMAIL", about: "The owner of the key.", required: true },
    name: { value: "NAME", about: "What the key is for; default `command line`." },
    test: {
      about: "A test key: never charged, limited to the latest years of five companies (docs/api.md).",
    },
    expiresDays: numberFlag("Days until the key expires; default never.", 1, 3650, "DAYS"),
  },
  examples: [
    ["keys create --user ann@example.com", "A key for Ann."],
    ["keys create --user ann@example.com --name laptop --expires-days 90", "A key that expires."],
    ["keys create --user ann@example.com --test", "A key for developing a program."],
    ["keys create --user ann@example.com --json", "For a script."],
  ],
  async run({ users, keys }, { flags }, io) {
    // Validated first, so that an invalid name does not leave a new user without a key.
    const name = readKeyName(flags.name ?? "command line");
    const user = await users.findOrCreate(flags.user);
    const days = flags.expiresDays;
    const expiresAtMs = days === undefined ? null : io.runtime.now() + days * DAY_MS;
    const { secret, key } = await keys.create(user.id, { name, expiresAtMs, isTest: flags.test });
    showOnce(io, secret, key, user.email);
  },
});

/** `execcomp keys list` */
export const list = accountsCommand({
  name: "keys list",
  summary: "List API keys by their prefixes.",
  flags: { user: { value: "EMAIL", about: "Only this user's keys." }, ...OUTPUT_FLAGS },
  examples: [
    ["keys list", "All keys, newest first."],
    ["keys list --user ann@example.com --json", "Ann's, as JSON."],
  ],
  async run(accounts, { flags }, io) {
    const { users, keys } = accounts;
    const emails = new Map((await users.list()).map(({ id, email }) => [id, email]));
    const owner = flags.user === undefined ? undefined : (await requireUser(accounts, flags.user, io)).id;
    const shown = (await keys.list(owner)).map((key) => shownKey(key, emails.get(key.userId) ?? "deleted"));
    await printAnswer(io, flags, shown, { rows: shown, columns: COLUMNS, none: "No keys." });
    if (shown.length === 0)
      io.note(`To create one: execcomp keys create --user EMAIL${sameFolder(io.loaded)}`);
  },
});

/** Names the list of the same folder in the refusal of an id. */
function refusalIn(io: Io): (cause: Error) => never {
  return (cause) => {
    cause.message = cause.message.replace("keys list", `keys list${sameFolder(io.loaded)}`);
    throw cause;
  };
}

/** `execcomp keys revoke` */
export const revoke = accountsCommand({
  name: "keys revoke",
  summary: "Revoke an API key at once.",
  operands: keyOperand,
  examples: [
    ["keys revoke 01990000-0000-7000-8000-000000000000", "The key is refused from the next request on."],
  ],
  async run({ keys }, { operands: [id = ""] }, io) {
    const key = await keys.revoke(null, id).catch(refusalIn(io));
    const answer = { id: key.id, revoked_at: timeOf(key.revokedAtMs) };
    io.confirm(answer, `Key ${key.prefix}… (${key.name}) was revoked.`);
  },
});

/** `execcomp keys rotate` */
export const rotate = accountsCommand({
  name: "keys rotate",
  summary: "Replace a key; the old one stays active for the overlap.",
  operands: keyOperand,
  flags: {
    overlap: { choices: OVERLAPS, about: "How long the old key stays active; default `none`." },
  },
  examples: [["keys rotate 01990000-0000-7000-8000-000000000000 --overlap day", "Both keys work for a day."]],
  async run({ users, keys }, { flags, operands: [id = ""] }, io) {
    const { secret, key } = await keys.rotate(null, id, flags.overlap ?? "none").catch(refusalIn(io));
    const user = (await users.findById(key.userId))?.email ?? "";
    showOnce(io, secret, key, user);
  },
});

function showOnce(io: Io, secret: string, key: Key, user: string): void {
  io.answer({ key: secret, id: key.id, prefix: key.prefix, user }, secret);
  if (!io.json) io.note(`Copy it now; it will not be shown again. Id ${key.id}, user ${user}.`);
}

/** A key in the format that scripts rely on (`docs/contract.md`, "Command line"). */
function shownKey(key: Key, user: string) {
  return {
    id: key.id,
    prefix: key.prefix,
    name: key.name,
    ...(isTestKey(key.prefix) && { test: true }),
    user,
    created_at: timeOf(key.createdAtMs),
    expires_at: timeOf(key.expiresAtMs),
    last_used_at: timeOf(key.lastUsedAtMs),
    revoked_at: timeOf(key.revokedAtMs),
  };
}

type ShownKey = ReturnType<typeof shownKey>;

const minuteOf = (time: string | null) => time?.slice(0, 16).replace("T", " ") ?? "–";

const COLUMNS: readonly TextColumn<ShownKey>[] = [
  { head: "Id", cell: ({ id }) => id },
  { head: "Key", rank: 2, cell: ({ prefix }) => `${prefix}…` },
  { head: "Name", cell: ({ name, test }) => (test === true ? `${name} (test)` : name) },
  { head: "User", cell: ({ user }) => user },
  { head: "Created", rank: 5, cell: (key) => minuteOf(key.created_at) },
  { head: "Expires", rank: 4, cell: (key) => minuteOf(key.expires_at) },
  { head: "Last used", rank: 3, cell: (key) => minuteOf(key.last_used_at) },
  { head: "Revoked", rank: 1, cell: (key) => minuteOf(key.revoked_at) },
];
