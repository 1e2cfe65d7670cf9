import type { Actor } from "../../accounts/audit.ts";
import type { CreditSummary } from "../../accounts/credits.ts";
import type { User } from "../../accounts/users.ts";
import { invalid, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { passwordReset } from "../../operate/mail.ts";
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
const DEEDS = 10;
const MAX_GRANT = 100_000_000;

/** `/admin/users/{id}`: a user's account, credits, keys and apps. */
export function userPage(deps: AdminDeps): AdminPage {
  const { users, credits, keys, audit } = deps;
  const { connections } = deps.grants;
  return {
    title: async ({ params }) => (await users.findById(params["id"] ?? ""))?.email ?? "User",
    async main(visit) {
      const user = await requireUser(users, visit);
      const version = String(await audit.newestChange(user.id));
      const apps = await connections.list(user.id);
      const log = `${ROUTES.adminAudit.path}?who=${encodeURIComponent(user.email)}`;
      const allEntries = html`<p><a href="${log}">All entries</a></p>`;
      return html`${account(visit, user, await credits.summary(user.id), version)}
      ${await ledger(visit, credits, user.id)}
      ${section(
        "keys",
        "API keys",
        keyTable(await keys.list(user.id), visit.nowMs, "No keys.", (key) => revokeForm(visit, key)),
      )}
      ${section("apps", "Connected apps", appTable(visit, apps, "No connected apps."))}
      ${section("log", "Audit log", auditTable(await audit.list({ who: user.id, limit: DEEDS })), allEntries)}`;
    },
    acts: {
      ...accountActs(deps),
      revoke: revokeAct(keys, false),
      disconnect: disconnectAct(connections, false),
    },
  };
}

/** An action on the account as the form's page showed it. @param change returns the sentence about the result */
function changing(
  { users }: AdminDeps,
  change: (user: User, actor: Actor, sent: OwnerSent) => Promise<string>,
) {
  return async (sent: OwnerSent) => ({
    said: await change(await requireUser(users, sent), actorWhoSaw(sent), sent),
  });
}

function accountActs(deps: AdminDeps): Readonly<Record<string, AdminAct>> {
  const { users, credits, signUps, outbox } = deps;
  const charging = (isUnmetered: boolean, told: string): AdminAct =>
    changing(deps, async ({ id, email }, actor) => {
      await credits.setUnmetered(id, isUnmetered, actor);
      return `${email} ${told}`;
    });
  return {
    grant: changing(deps, async ({ id, email }, actor, { fields }) => {
      const amount = readCredits(fields.get("amount") ?? "", -MAX_GRANT);
      if (amount === 0) throw invalid("Cannot add 0 credits: nothing would change.");
      const balance = await credits.grant(id, amount, actor);
      const what = amount < 0 ? `${count(-amount)} taken from` : `${count(amount)} added to`;
      return `${what} ${email}. New balance: ${count(balance)}.`;
    }),
    unmetered: charging(true, "is no longer charged. The balance stays the same."),
    metered: charging(false, "is charged again."),
    disable: {
      ask: async (sent) => ({
        question: `Disable ${(await requireUser(users, sent)).email}? Sessions and connected apps end, and API keys stop working. Keys and credits are kept.`,
        button: "Disable",
      }),
      run: changing(deps, async ({ id, email }, actor) => {
        await users.disable(id, actor);
        return `${email} was disabled.`;
      }),
    },
    enable: changing(deps, async ({ id, email }, actor) => {
      await users.enable(id, actor);
      return `${email} was enabled. Sign-in and API keys work again.`;
    }),
    ...weightyActs(deps),
    reset: async (sent) => {
      const { email } = await requireUser(users, sent);
      return resetLink({ signUps, outbox }, email, sent.url.origin, sent.actor);
    },
  };
}

/** What needs the owner's own password. */
function weightyActs(deps: AdminDeps): Readonly<Record<string, AdminAct>> {
  const { users } = deps;
  const role = (name: "owner" | "member", question: (email: string) => string): AdminAct => ({
    ask: async (sent) => ({
      question: question((await requireUser(users, sent)).email),
      button: `Make ${name}`,
      ...(await passwordQuestion(deps, sent)),
    }),
    run: changing(deps, async ({ id, email }, actor, sent) => {
      await requirePassword(deps, sent);
      await users.setRole(id, name, actor);
      return `${email} is ${name === "owner" ? "an owner" : "a member"} now.`;
    }),
  });
  return {
    owner: role(
      "owner",
      (email) => `Make ${email} an owner? Owners can do everything on these pages, and make others owners.`,
    ),
    member: role("member", (email) => `Take the owner's role from ${email}? The account stays, as a member.`),
    delete: {
      ask: async (sent) => ({
        question: `Delete ${(await requireUser(users, sent)).email}? E-mail, password, sessions, keys, apps and peer groups are gone for good; the ledger is kept without a name. To keep the account, disable it instead.`,
        button: "Delete for good",
        ...(await passwordQuestion(deps, sent)),
      }),
      async run(sent) {
        await requirePassword(deps, sent);
        const { id, email } = await requireUser(users, sent);
        await users.delete(id, actorWhoSaw(sent));
        return {
          main: html`<p class="note" role="status">${email} was deleted.</p>
            <p><a href="${ROUTES.admin.path}">Users</a></p>`,
        };
      },
    },
  };
}

/** The actor, with the state of the account that the form's page showed. */
function actorWhoSaw({ actor, fields }: OwnerSent): Actor {
  const version = fields.get("version");
  return version === undefined ? actor : { ...actor, seen: Number(version) };
}

async function requireUser(users: AdminDeps["users"], { params }: OwnerVisit): Promise<User> {
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

function account(visit: OwnerVisit, user: User, summary: CreditSummary, version: string): Html {
  const { role, createdAtMs, disabledAtMs, hasPassword } = user;
  const { balance, given, granted, charged, unmetered } = summary;
  const button = (act: string, words: string) =>
    visit.form(
      act,
      html`<button${["disable", "delete"].includes(act) && html` class="danger"`}>${words}</button>`,
      {
        version,
      },
    );
  const state = disabledAtMs === null ? "active" : html`disabled since ${time(disabledAtMs)}`;
  return html`${factsOf([
      ["Role", role],
      ["Created", time(createdAtMs)],
      ["Status", state],
      ["Signs in with", hasPassword ? "password" : "no password yet"],
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
  const entries = await credits.entries(
    userId,
    /^\d{1,15}$/.test(given) ? { limit: ENTRIES, from: Number(given) } : { limit: ENTRIES },
  );
  const older = entries.at(-1)?.previous ?? null;
  const empty = "No entries yet. The first key comes with free credits.";
  const table = tableOf("Entries, newest first (UTC)", entries, empty, [
    [
      { number: "Entry" },
      ({ firstEntry: first, entry }) => (first === entry ? entry : `${first} to ${entry}`),
    ],
    ...LEDGER,
    ["Request", ({ requestId }) => (requestId === null ? "–" : html`<code>${requestId}</code>`)],
  ]);
  const next = withParameters(visit, { entry: String(older) });
  const link = older !== null && html`<p><a href="${next}#ledger">Older entries</a></p>`;
  return section("ledger", "Ledger", table, link);
}

/** Creates a link for a user to set a new password, and e-mails it where there is a mail server. */
export async function resetLink(
  { signUps, outbox }: Pick<AdminDeps, "signUps" | "outbox">,
  email: string,
  origin: string,
  actor: Actor,
): Promise<Outcome> {
  const link = `${origin}${ROUTES.reset.path}?token=${await signUps.resetSecret(email, actor)}`;
  outbox?.post("reset", passwordReset(email, origin, link));
  const mailed = outbox === null ? "" : " The link was also e-mailed.";
  return { said: `Password reset link for ${email} created, valid for one day.${mailed}`, link };
}
