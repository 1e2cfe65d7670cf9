import type { Actor } from "../../accounts/audit.ts";
import type { CreditSummary } from "../../accounts/credits.ts";
import type { User } from "../../accounts/users.ts";
import { invalid, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../lib/html.ts";
import { passwordReset } from "../../jobs/mail.ts";
import { ROUTES } from "../../http/routes.ts";
import {
  appTable,
  credits as count,
  disconnectAct,
  factsOf,
  keyTable,
  LEDGER,
  revokeAct,
  revokeForm,
  section,
  tableOf,
  time,
  withParameters,
} from "../account-tables.ts";
import { field } from "../fields.ts";
import type { Outcome } from "../forms.ts";
import { auditTable } from "./audit.ts";
import {
  type AdminAct,
  type AdminDeps,
  type AdminPage,
  type OwnerSent,
  type OwnerVisit,
  passwordQuestion,
  requirePassword,
} from "./frame.ts";

/** Ledger entries on one page. */
const ENTRIES = 20;
/** Audit entries shown: the latest by and about the user. */
const SHOWN_ENTRIES = 10;
const MAX_GRANT = 100_000_000;

/** `/admin/users/{id}`: a user's account, credits, keys and apps. */
export function userPage(deps: AdminDeps): AdminPage {
  const { users, credits, keys, audit } = deps;
  const { connections } = deps.grants;
  return {
    title: async ({ params }) => (await users.findById(params["id"] ?? ""))?.email ?? "User",
    async main(visit) {
      const user = await requireUser(deps, visit);
      const version = String(await audit.newestChange(user.id));
      const apps = await connections.list(user.id);
      const log = `${ROUTES.adminAudit.path}?who=${encodeURIComponent(user.email)}`;
      const allEntries = html`<p><a href="${log}">All entries</a></p>`;
      return html`${account(deps, visit, user, await credits.summary(user.id), version)}
      ${await ledger(visit, credits, user.id)}
      ${section(
        "keys",
        "API keys",
        keyTable(await keys.list(user.id), visit.nowMs, "No keys.", (key) => revokeForm(visit, key)),
      )}
      ${section("apps", "Connected apps", appTable(visit, apps, "No connected apps."))}
      ${section("log", "Audit log", auditTable(await audit.list({ who: user.id, limit: SHOWN_ENTRIES })), allEntries)}`;
    },
    acts: {
      ...accountActs(deps),
      revoke: revokeAct(keys, false),
      disconnect: disconnectAct(connections, false),
    },
  };
}

/** What is asked before an action on a user. */
interface Prompt {
  /** Null where it is done without asking. */
  question(user: User): string | null;
  button: string;
  /** Whether it needs the owner's own password; of an act on a user, for all or for owners only. */
  isWeighty?: boolean | "of an owner";
}

/** An action on the account as the form's page showed it. @param change returns the sentence about the result */
function changing(
  deps: AdminDeps,
  change: (user: User, actor: Actor, sent: OwnerSent) => Promise<string | Outcome>,
  prompt?: Prompt,
): AdminAct {
  const isWeighty = ({ role }: User) =>
    prompt?.isWeighty === true || (prompt?.isWeighty === "of an owner" && role === "owner");
  const run = async (sent: OwnerSent): Promise<Outcome> => {
    const user = await requireUser(deps, sent);
    if (isWeighty(user)) await requirePassword(deps, sent);
    // With the state of the account that the form's page showed.
    const version = sent.fields.get("version");
    const actor = version === undefined ? sent.actor : { ...sent.actor, seen: Number(version) };
    const changed = await change(user, actor, sent);
    return typeof changed === "string" ? { note: changed } : changed;
  };
  if (prompt === undefined) return run;
  const { question, button } = prompt;
  const ask = async (sent: OwnerSent) => {
    const user = await requireUser(deps, sent);
    const asked = question(user);
    const fields = isWeighty(user) ? await passwordQuestion(deps, sent) : {};
    return asked === null ? null : { question: asked, button, ...fields };
  };
  return { ask, run };
}

function accountActs(deps: AdminDeps): Readonly<Record<string, AdminAct>> {
  const { users, credits } = deps;
  /** @param end what is said of the user, behind the e-mail */
  const simple = (act: (id: string, actor: Actor) => Promise<unknown>, end: string, prompt?: Prompt) =>
    changing(deps, ({ id, email }, actor) => act(id, actor).then(() => `${email} ${end}`), prompt);
  return {
    grant: changing(deps, async ({ id, email }, actor, { given }) => {
      const amount = readCredits(given("amount"), -MAX_GRANT);
      if (amount === 0) throw invalid("Cannot add 0 credits: nothing would change.");
      const balance = await credits.grant(id, amount, actor);
      const what = amount < 0 ? `${count(-amount)} taken from` : `${count(amount)} added to`;
      return `${what} ${email}. New balance: ${count(balance)}.`;
    }),
    unmetered: simple(
      (id, actor) => credits.setUnmetered(id, true, actor),
      "is no longer charged. The balance stays the same.",
    ),
    metered: simple((id, actor) => credits.setUnmetered(id, false, actor), "is charged again."),
    disable: simple((id, actor) => users.disable(id, actor), "was disabled.", {
      question: ({ email }) =>
        `Disable ${email}? Sessions, connected apps and links that they made end, and API keys stop working. Keys and credits are kept.`,
      button: "Disable",
      isWeighty: "of an owner",
    }),
    enable: simple((id, actor) => users.enable(id, actor), "was enabled. Sign-in and API keys work again.", {
      question: ({ email, role }) =>
        role === "owner" ? `Enable ${email}, an owner? They can do everything on these pages again.` : null,
      button: "Enable",
      isWeighty: "of an owner",
    }),
    owner: simple((id, actor) => users.setRole(id, "owner", actor), "is an owner now.", {
      question: ({ email }) =>
        `Make ${email} an owner? Owners can do everything on these pages, and make others owners.`,
      button: "Make owner",
      isWeighty: true,
    }),
    member: simple((id, actor) => users.setRole(id, "member", actor), "is a member now.", {
      question: ({ email }) =>
        `Take the owner's role from ${email}? The account stays, as a member; invitations and reset links that they made end.`,
      button: "Make member",
      isWeighty: true,
    }),
    delete: changing(deps, ({ id, email }, actor) => users.delete(id, actor).then(() => deleted(email)), {
      question: ({ email }) =>
        `Delete ${email}? E-mail, password, sessions, keys, apps and peer groups are gone for good; the ledger is kept without a name. To keep the account, disable it instead.`,
      button: "Delete for good",
      isWeighty: true,
    }),
    reset: {
      async ask(sent) {
        const user = await requireUser(deps, sent);
        if (user.role !== "owner") return null;
        const question = `Create a link to a new password of ${user.email}, an owner? Whoever has it owns this server.`;
        return { question, button: "Create a password reset link", ...(await passwordQuestion(deps, sent)) };
      },
      run: async (sent) => resetLink(deps, await requireUser(deps, sent), sent),
    },
  };
}

/** The page of a user is gone with the user. */
const deleted = (email: string): Outcome => ({
  main: html`<p class="note" role="status">${email} was deleted.</p>
    <p><a href="${ROUTES.adminUsers.path}">Users</a></p>`,
});

async function requireUser({ users }: AdminDeps, { params }: OwnerVisit): Promise<User> {
  const user = await users.findById(params["id"] ?? "");
  if (user === undefined) throw new ServiceError("no_route", "There is no such user.");
  return user;
}

/** An amount of credits. Refuses with `invalid_parameter`. @param least negative where credits can be removed */
export function readCredits(text: string, least: number): number {
  const amount = Number(text);
  if (/^-?\d{1,9}$/.test(text) && amount >= least && amount <= MAX_GRANT) return amount;
  throw invalid(
    `Cannot add ${JSON.stringify(text)} credits: expected a whole number up to ${MAX_GRANT.toLocaleString("en-US")}${least < 0 ? ", negative to remove credits" : ""}.`,
  );
}

function account(
  { provider, config: { ssoName } }: AdminDeps,
  visit: OwnerVisit,
  user: User,
  summary: CreditSummary,
  version: string,
): Html {
  const { role, createdAtMs, disabledAtMs, hasPassword } = user;
  const { balance, given, granted, charged, unmetered } = summary;
  const button = (act: string, words: string) => {
    const kind = ["disable", "delete"].includes(act) && html` class="danger"`;
    return visit.form(act, html`<button${kind}>${words}</button>`, { version });
  };
  const state = disabledAtMs === null ? "active" : html`disabled since ${time(disabledAtMs)}`;
  return html`${factsOf([
      ["Role", role],
      ["Created", time(createdAtMs)],
      ["Status", state],
      [
        "Signs in with",
        hasPassword ? "password" : provider === null ? "no password yet" : `${ssoName}, no password`,
      ],
      [
        "Credits",
        html`<strong id="balance">${count(balance)}</strong>${unmetered && ", unmetered"}
          <span class="soft">(${given} free, ${granted} added, ${charged} used)</span>`,
      ],
    ])}
    <div class="row actions">
      ${disabledAtMs === null ? button("disable", "Disable") : button("enable", "Enable")}
      ${role === "owner" ? button("member", "Make member…") : button("owner", "Make owner…")}
      ${button("reset", "Create a password reset link")}
      ${unmetered ? button("metered", "Charge again") : button("unmetered", "Stop charging")}
      ${button("delete", "Delete…")}
    </div>
    ${section("grant", "Add credits", visit.form("grant", GRANT, { version }))}`;
}

const GRANT = html`<div class="row panel">
  ${field("Credits", { name: "amount", inputmode: "numeric", required: true, pattern: "-?[0-9]{1,9}" })}
  <button class="primary">Add</button>
  <span class="soft">Use a negative number to remove credits.</span>
</div>`;

async function ledger(visit: OwnerVisit, credits: AdminDeps["credits"], userId: string): Promise<Html> {
  const given = visit.url.searchParams.get("entry") ?? "";
  const from = /^\d{1,15}$/.test(given) ? { from: Number(given) } : {};
  const entries = await credits.entries(userId, { limit: ENTRIES, ...from });
  const older = entries.at(-1)?.previous ?? null;
  const empty = "No entries yet. The first key comes with free credits.";
  const table = tableOf("Entries, newest first (UTC)", entries, empty, [
    [{ number: "Entry" }, ({ firstEntry: of, entry }) => (of === entry ? entry : `${of} to ${entry}`)],
    ...LEDGER,
    ["Request", ({ requestId }) => (requestId === null ? "–" : html`<code>${requestId}</code>`)],
  ]);
  const next = withParameters(visit, { entry: String(older) });
  const link = older !== null && html`<p><a href="${next}#ledger">Older entries</a></p>`;
  return section("ledger", "Ledger", table, link);
}

/**
 * Creates a link for a user to set a new password, and e-mails it where there is a mail server. For an owner it needs the
 * own password: with the link, an unattended screen would be enough for all that asks for one.
 */
export async function resetLink(deps: AdminDeps, { email, role }: User, sent: OwnerSent): Promise<Outcome> {
  if (role === "owner") await requirePassword(deps, sent);
  const { signUps, outbox } = deps;
  const { origin } = sent.url;
  const link = `${origin}${ROUTES.reset.path}?token=${await signUps.resetSecret(email, sent.actor)}`;
  outbox?.post("reset", passwordReset(email, origin, link));
  return { note: `Password reset link for ${email} created, valid for one day.${mailedNote(outbox)}`, link };
}

/** Said beside a link that is also e-mailed: whether the mail arrives is not known yet. */
export function mailedNote(outbox: AdminDeps["outbox"]): string {
  return outbox === null ? "" : " It is also being e-mailed: pass it on yourself if it does not arrive.";
}
