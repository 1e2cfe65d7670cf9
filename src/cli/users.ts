import type { User } from "../accounts/users.ts";
import { createServerUrls } from "../base-urls.ts";
import { tableLines, timeOf, withAccounts } from "./accounts.ts";
import { type Io, UsageError, command } from "./command.ts";

const whose = { user: { value: "EMAIL", about: "The user's e-mail address.", required: true } } as const;

/** `execcomp users create` */
export const create = command({
  name: "users create",
  summary: "Make a user who can sign in; the first one owns the service.",
  details:
    "The password is read from standard input, so that it stands in no list of processes. A user who is there already\n" +
    "gets that password, and is signed out everywhere.",
  operands: [],
  flags: {
    ...whose,
    passwordStdin: { about: "Read the password from standard input (its first line)." },
  },
  settings: [],
  examples: [
    ["users create --user ann@example.com --password-stdin", "The password is piped in: no browser needed."],
  ],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ signUps }) => {
      if (!flags.passwordStdin) {
        throw new UsageError(
          "users create needs --password-stdin and the password on standard input. To let the person choose one: execcomp users invite --user EMAIL",
        );
      }
      return message(
        io,
        await signUps.createWithPassword(flags.user, await readPassword(io)),
        "is there and can sign in",
      );
    }),
});

/** `execcomp users list` */
export const list = command({
  name: "users list",
  summary: "List the users.",
  operands: [],
  flags: {},
  settings: [],
  examples: [["users list --json", "As JSON."]],
  run: (_given, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const shown = users
        .list()
        .map((user) => ({ ...shownUser(user), balance: credits.summary(user.id).balance }));
      if (io.json) io.printJson(shown);
      else if (shown.length === 0)
        io.note("No users. Make one with: execcomp users create --user EMAIL --password-stdin");
      else {
        const rows = shown.map((user) => [
          user.user,
          user.role,
          user.balance,
          user.created_at?.slice(0, 10) ?? "",
          user.disabled_at === null ? "" : "disabled",
        ]);
        for (const line of tableLines(["USER", "ROLE", "CREDITS", "CREATED", ""], rows)) io.print(line);
      }
      return 0;
    }),
});

/** `execcomp users disable` */
export const disable = command({
  name: "users disable",
  summary: "Shut a user out at once, everywhere; keys and credits stay for later.",
  operands: [],
  flags: whose,
  settings: [],
  examples: [
    ["users disable --user ann@example.com", "Sessions, keys and connected applications are refused."],
  ],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users }) => {
      const { id } = users.requireByEmail(flags.user);
      await users.disable(id);
      return message(io, users.requireByEmail(flags.user), "is disabled");
    }),
});

/** `execcomp users enable` */
export const enable = command({
  name: "users enable",
  summary: "Let a disabled user in again.",
  operands: [],
  flags: whose,
  settings: [],
  examples: [["users enable --user ann@example.com", "Its keys work again."]],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users }) => {
      const { id } = users.requireByEmail(flags.user);
      await users.enable(id);
      return message(io, users.requireByEmail(flags.user), "is enabled");
    }),
});

/** `execcomp users delete` */
export const remove = command({
  name: "users delete",
  summary: "End a user for good: e-mail, password, sessions and keys go, the ledger stays.",
  operands: [],
  flags: { ...whose, yes: { about: "Really; nothing brings a deleted user back." } },
  settings: [],
  examples: [["users delete --user ann@example.com --yes", "The address may be used again, by a new user."]],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users }) => {
      const user = users.requireByEmail(flags.user);
      if (!flags.yes) {
        throw new UsageError(
          `This cannot be undone: add --yes to delete ${user.email}, or shut out with: execcomp users disable --user ${user.email}`,
        );
      }
      await users.delete(user.id);
      return message(io, user, "is deleted");
    }),
});

/** `execcomp users invite` */
export const invite = command({
  name: "users invite",
  summary: "Make a one-time link with which a person chooses a password.",
  details:
    "The link stands alone on standard output and holds for a week. Nothing is sent: hand it over yourself.",
  operands: [],
  flags: whose,
  settings: ["host", "port", "publicUrl", "mcpLegacyUrl", "signUp"],
  examples: [
    ["users invite --user ann@example.com --public-url https://pay.example.com", "A link to that address."],
  ],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ signUps }) => {
      const secret = await signUps.invite(flags.user);
      return toldLink(io, `/invite?token=${secret}`);
    }),
});

/** `execcomp users reset-password` */
export const resetPassword = command({
  name: "users reset-password",
  summary: "Make a one-time link for a new password, or set one.",
  details: "A new password signs the user out everywhere and disconnects its applications; its keys go on.",
  operands: [],
  flags: {
    ...whose,
    passwordStdin: { about: "Set the password on standard input instead of making a link." },
  },
  settings: ["host", "port", "publicUrl", "mcpLegacyUrl"],
  examples: [
    ["users reset-password --user ann@example.com", "A link that holds for a day."],
    ["users reset-password --user ann@example.com --password-stdin", "At once."],
  ],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, signUps }) => {
      const user = users.requireByEmail(flags.user);
      if (flags.passwordStdin) {
        return message(
          io,
          await signUps.createWithPassword(user.email, await readPassword(io)),
          "has a new password",
        );
      }
      return toldLink(io, `/reset?token=${await signUps.resetSecret(user.email)}`);
    }),
});

function shownUser(user: User) {
  return {
    user: user.email,
    id: user.id,
    role: user.role,
    created_at: timeOf(user.createdAtMs),
    disabled_at: timeOf(user.disabledAtMs),
  };
}

function message(io: Io, user: User, what: string): number {
  if (io.json) io.printJson(shownUser(user));
  else io.note(`${user.email} (${user.role}) ${what}.`);
  return 0;
}

function toldLink(io: Io, path: string): number {
  const { config } = io.loaded;
  const link = createServerUrls(config, config.port).main.origin + path;
  if (io.json) io.printJson({ link });
  else io.print(link);
  return 0;
}

async function readPassword(io: Io): Promise<string> {
  return (await io.readStdin()).split(/\r?\n/, 1)[0] ?? "";
}
