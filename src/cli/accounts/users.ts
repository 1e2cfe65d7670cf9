import { shellWord } from "../../lib/text.ts";
import { OPERATOR } from "../../accounts/audit.ts";
import type { Accounts } from "../../server/compose.ts";
import { normalizeEmail, type User } from "../../accounts/users.ts";
import { messageOf, OperatorError, ServiceError } from "../../errors.ts";
import { timeOf, accountsCommand, requireUser, whose } from "./accounts.ts";
import { OUTPUT_FLAGS, printAnswer, numberFlag } from "../output.ts";
import type { TextColumn } from "../../lib/text-table.ts";
import { createMailer, invitation, type Mail, passwordReset } from "../../jobs/mail.ts";
import { type Io, sameFolder, UsageError } from "../command.ts";
import { siteOf } from "../site.ts";
import { ROUTES } from "../../http/routes.ts";

const ROLES = ["owner", "member"] as const;

/** `execcomp users create` */
export const create = accountsCommand({
  name: "users create",
  summary: "Create a user who can sign in; the first becomes the owner.",
  details:
    "The password is read from standard input, which keeps it out of process lists. An existing user gets the new\n" +
    "password and is signed out everywhere.",
  flags: {
    ...whose,
    passwordStdin: { about: "Read the password from standard input (its first line)." },
  },
  examples: [
    ["users create --user ann@example.com --password-stdin", "Pipe in the password; no browser needed."],
  ],
  async run({ signUps }, { flags }, io) {
    if (!flags.passwordStdin)
      throw new UsageError(
        "users create needs --password-stdin and the password on standard input. To let the user choose a password: execcomp users invite --user EMAIL",
      );
    return message(io, await signUps.createWithPassword(flags.user, await readPassword(io)), "can sign in");
  },
});

/** `execcomp users list` */
export const list = accountsCommand({
  name: "users list",
  summary: "List the users, and who is invited.",
  flags: OUTPUT_FLAGS,
  examples: [["users list --json", "As JSON."]],
  async run({ users, credits, links }, { flags }, io) {
    const shown = [];
    for (const user of await users.list()) {
      const { balance, granted, unmetered } = await credits.summary(user.id);
      shown.push({ ...shownUser(user), balance, granted, unmetered });
    }
    await printAnswer(io, flags, shown, { rows: shown, columns: COLUMNS, none: "No users." });
    if (shown.length === 0)
      io.note(`To create one: execcomp users create --user EMAIL --password-stdin${sameFolder(io.loaded)}`);
    const invited = (await links.pending()).map(({ email }) => email);
    if (invited.length > 0) io.note(`Invited, not accepted yet: ${invited.join(", ")}.`);
  },
});

/** `execcomp users disable` */
export const disable = accountsCommand({
  name: "users disable",
  summary: "Disable a user at once, everywhere; keys and credits are kept.",
  flags: whose,
  examples: [
    ["users disable --user ann@example.com", "Sessions, keys and connected applications are refused."],
  ],
  run: (accounts, { flags }, io) =>
    change(io, accounts, flags.user, (id) => accounts.users.disable(id), "was disabled"),
});

/** `execcomp users enable` */
export const enable = accountsCommand({
  name: "users enable",
  summary: "Enable a disabled user again.",
  flags: whose,
  examples: [["users enable --user ann@example.com", "Their keys work again."]],
  run: (accounts, { flags }, io) =>
    change(io, accounts, flags.user, (id) => accounts.users.enable(id), "was enabled"),
});

/** `execcomp users delete` */
export const remove = accountsCommand({
  name: "users delete",
  summary: "Delete a user (e-mail, password, sessions and keys; the ledger stays), or revoke an invitation.",
  flags: { ...whose, yes: { about: "Confirm; this cannot be undone." } },
  examples: [
    ["users delete --user ann@example.com --yes", "A new user may use the address later."],
    ["users delete --user bob@example.com", "Bob was invited: the link no longer works."],
  ],
  async run({ users, signUps }, { flags }, io) {
    const user = await users.findByEmail(flags.user);
    if (user === undefined) {
      const invited = normalizeEmail(flags.user);
      await signUps.withdraw(invited).catch((refused: unknown) => {
        const isUnknown = refused instanceof ServiceError && refused.kind === "invalid_parameter";
        throw isUnknown
          ? new OperatorError(
              `No user and no open invitation has the address ${invited}. See: execcomp users list${sameFolder(io.loaded)}`,
            )
          : refused;
      });
      return io.confirm({ user: invited }, `The invitation of ${invited} has ended.`);
    }
    if (!flags.yes)
      throw new UsageError(
        `This cannot be undone. Add --yes to delete ${user.email}, or disable the user with: execcomp users disable --user ${shellWord(user.email)}`,
      );
    await users.delete(user.id);
    return message(io, user, "was deleted");
  },
});

/** `execcomp users invite` */
export const invite = accountsCommand({
  name: "users invite",
  summary: "Create a one-time link for setting a password.",
  details:
    "The link is alone on standard output and valid for a week. With --smtp-url it is e-mailed as well; otherwise pass it on\n" +
    "yourself.",
  flags: {
    ...whose,
    role: { value: "ROLE", about: "Role of the account: member (the default) or owner.", choices: ROLES },
    credits: numberFlag("Credits that the account starts with; default 0.", 0, 100_000_000),
  },
  settings: ["host", "port", "publicUrl", "mcpLegacyUrl", "signUp", "smtpUrl", "mailFrom"],
  examples: [
    ["users invite --user ann@example.com --public-url https://pay.example.com", "A link to that address."],
  ],
  async run({ signUps }, { flags }, io) {
    const { user, role: given = "member", credits = 0 } = flags;
    const secret = await signUps.invite(user, OPERATOR, { role: given, credits });
    return deliverLink(io, normalizeEmail(user), `${ROUTES.invite.path}?token=${secret}`, invitation);
  },
});

/** `execcomp users role` */
export const role = accountsCommand({
  name: "users role",
  summary: "Make a user an owner or a member; one owner always remains.",
  flags: {
    ...whose,
    role: { value: "ROLE", about: "The new role: owner or member.", required: true, choices: ROLES },
  },
  examples: [["users role --user ann@example.com --role owner", "Ann can manage the server."]],
  run: (accounts, { flags }, io) =>
    change(io, accounts, flags.user, (id) => accounts.users.setRole(id, flags.role), "has this role now"),
});

/** `execcomp users reset-password` */
export const resetPassword = accountsCommand({
  name: "users reset-password",
  summary: "Create a one-time link for resetting a password, or set a new one.",
  details: "A new password signs the user out everywhere and disconnects their apps; their keys stay valid.",
  flags: {
    ...whose,
    passwordStdin: { about: "Set the password from standard input instead." },
  },
  settings: ["host", "port", "publicUrl", "mcpLegacyUrl", "smtpUrl", "mailFrom"],
  examples: [
    ["users reset-password --user ann@example.com", "A link valid for a day."],
    ["users reset-password --user ann@example.com --password-stdin", "At once."],
  ],
  async run(accounts, { flags }, io) {
    const { signUps } = accounts;
    const user = await requireUser(accounts, flags.user, io);
    if (flags.passwordStdin) {
      const changed = await signUps.createWithPassword(user.email, await readPassword(io));
      return message(io, changed, "has a new password");
    }
    const secret = await signUps.resetSecret(user.email);
    return deliverLink(io, user.email, `${ROUTES.reset.path}?token=${secret}`, passwordReset);
  },
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

const COLUMNS: readonly TextColumn<ReturnType<typeof shownUser> & { balance: number; unmetered: boolean }>[] =
  [
    { head: "User", cell: ({ user }) => user },
    { head: "Role", cell: ({ role }) => role },
    {
      head: "Credits",
      align: "right",
      cell: ({ balance, unmetered }) => (unmetered ? "unmetered" : String(balance)),
    },
    { head: "Created", rank: 1, cell: (user) => user.created_at?.slice(0, 10) ?? "" },
    { head: "State", cell: (user) => (user.disabled_at === null ? "" : "disabled") },
  ];

/** Changes a user, and confirms the new state. */
async function change(
  io: Io,
  accounts: Accounts,
  email: string,
  act: (id: string) => Promise<unknown>,
  what: string,
): Promise<void> {
  const { id } = await requireUser(accounts, email, io);
  await act(id);
  message(io, await requireUser(accounts, email, io), what);
}

function message(io: Io, user: User, what: string): void {
  io.confirm(shownUser(user), `${user.email} (${user.role}) ${what}.`);
}

/** Prints a one-time link, and e-mails it if a mail server is configured. @returns the exit code: 1 if it could not be sent */
async function deliverLink(
  io: Io,
  to: string,
  path: string,
  message: (to: string, site: string, link: string) => Mail,
): Promise<number> {
  const { config } = io.loaded;
  const origin = siteOf(io.loaded).main.origin;
  const link = origin + path;
  const mailer = createMailer(config);
  if (mailer === null) {
    io.answer({ link }, link);
    return 0;
  }
  const failure = await mailer.send(message(to, origin, link)).then(() => null, messageOf);
  io.answer({ link, mailed: failure === null }, link);
  if (failure === null) io.note(`E-mailed to ${to}.`);
  else io.note(`The e-mail to ${to} was not sent: ${failure.replace(/\.$/, "")}. Send the link yourself.`);
  return failure === null ? 0 : 1;
}

async function readPassword(io: Io): Promise<string> {
  return (await io.readStdin()).split(/\r?\n/, 1)[0] ?? "";
}
