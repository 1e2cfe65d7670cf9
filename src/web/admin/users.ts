import { counted, numeral } from "../../lib/text.ts";
import type { SignUpMode } from "../../accounts/sign-in.ts";
import type { Invitation } from "../../accounts/links.ts";
import { type ListedUser, MAX_MATCHES } from "../../accounts/users.ts";
import { type Html, html } from "../../lib/html.ts";
import { invitation } from "../../jobs/mail.ts";
import { ROUTES } from "../../http/routes.ts";
import {
  appTable,
  type AccountColumn,
  dangerButton,
  disconnectAct,
  keyTable,
  newestFirst,
  pageOf,
  revokeAct,
  revokeForm,
  section,
  tableOf,
  time,
  userLink,
} from "../account-tables.ts";
import { choice, field, filterForm } from "../fields.ts";
import {
  type AdminAct,
  type AdminDeps,
  type AdminPage,
  type OwnerVisit,
  passwordQuestion,
  requirePassword,
} from "./frame.ts";
import { mailedNote, readCredits, resetLink } from "./user.ts";

const PAGE = 50;

/** `/admin/users`: users by e-mail, and invitations. */
export function usersPage(deps: AdminDeps): AdminPage {
  const { users, links, config } = deps;
  return {
    title: "Users",
    async main(visit) {
      const text = visit.url.searchParams.get("q") ?? "";
      const after = visit.url.searchParams.get("after") ?? "";
      const read = (limit: number) => users.page({ text, after, limit });
      const { listed, next } = await pageOf(visit, PAGE, read, ({ email }) => ({ after: email }));
      const search = field("E-mail", { name: "q", value: text, maxlength: 254 }, { className: "wide" });
      return html`${filterForm(ROUTES.adminUsers.path, search, "Search")}
      ${tableOf(
        await countOf(users, text),
        listed,
        text === "" ? "No users." : `No user's e-mail matches "${text}".`,
        USER_COLUMNS,
      )}
      ${next} ${inviteForm(visit, config.signUp)} ${pendingInvitations(visit, await links.pending())}`;
    },
    acts: invitationActs(deps),
  };
}

function invitationActs(deps: AdminDeps): Readonly<Record<string, AdminAct>> {
  const { users, signUps, outbox } = deps;
  return {
    invite: {
      async ask(sent) {
        const email = sent.given("email");
        const user = await users.findByEmail(email);
        if (user === undefined) {
          if (sent.given("role") !== "owner") return null;
          const question = `Invite ${email} as an owner? Owners can do everything on these pages, and make others owners.`;
          return { question, button: "Invite as owner", ...(await passwordQuestion(deps, sent)) };
        }
        return {
          question: `${user.email} is already a user. Create a link to set a new password instead?`,
          button: "Create a password reset link",
          ...(user.role === "owner" && (await passwordQuestion(deps, sent))),
        };
      },
      async run(sent) {
        const { given, actor, url } = sent;
        const { origin } = url;
        const email = given("email").trim();
        const user = await users.findByEmail(email);
        if (user !== undefined) return resetLink(deps, user, sent);
        const role = given("role") === "owner" ? "owner" : "member";
        if (role === "owner") await requirePassword(deps, sent);
        const amount = given("credits").trim();
        const credits = amount === "" ? 0 : readCredits(amount, 0);
        const secret = await signUps.invite(email, actor, { role, credits });
        const link = `${origin}${ROUTES.invite.path}?token=${secret}`;
        outbox?.post("invite", invitation(email, origin, link));
        return {
          note: `Invitation for ${email} created, valid for one week. It replaces any earlier one.${mailedNote(outbox)}`,
          link,
        };
      },
    },
    withdraw: async ({ given, actor }) => {
      const email = given("email");
      await signUps.withdraw(email, actor);
      return { note: `The invitation for ${email} was withdrawn: its link no longer works.` };
    },
  };
}

async function countOf(users: AdminDeps["users"], text: string): Promise<string> {
  const found = await users.count(text);
  const isMore = text.trim() !== "" && found > MAX_MATCHES;
  const matches = isMore ? `more than ${counted(MAX_MATCHES, "user")}` : counted(found, "user");
  return text === "" ? `${matches}, by e-mail` : `${matches} with "${text}" in the e-mail`;
}

const USER_COLUMNS: readonly AccountColumn<ListedUser>[] = [
  ["E-mail", ({ id, email }) => userLink({ userId: id, email })],
  ["Role", ({ role }) => role],
  [{ number: "Credits" }, ({ unmetered, balance }) => (unmetered ? "unmetered" : numeral(balance))],
  ["Created", ({ createdAtMs }) => time(createdAtMs)],
  ["Status", ({ disabledAtMs }) => (disabledAtMs === null ? "active" : "disabled")],
];

function pendingInvitations(visit: OwnerVisit, pending: readonly Invitation[]): Html | false {
  const withdraw = ({ email }: Invitation) =>
    visit.form("withdraw", dangerButton("Withdraw", email), { hidden: { email } });
  if (pending.length === 0) return false;
  return tableOf("Invitations not accepted yet", pending, "", [
    ["E-mail", ({ email }) => email],
    ["Role", ({ role }) => role],
    [{ number: "Credits" }, ({ credits }) => numeral(credits)],
    ["Invited", ({ createdAtMs }) => time(createdAtMs)],
    ["Expires", ({ expiresAtMs }) => time(expiresAtMs)],
    ["Actions", withdraw],
  ]);
}

const INVITED = { type: "email", name: "email", required: true, maxlength: 254, autocomplete: "off" };
const ROLES = [
  ["member", "member"],
  ["owner", "owner"],
] as const;
const INVITATION = html`<div class="row panel">
  ${field("E-mail", INVITED, { className: "wide" })} ${choice("Role", "role", ROLES)}
  ${field("Credits", { name: "credits", inputmode: "numeric", pattern: "[0-9]{1,9}", placeholder: "0", size: 8 })}
  <button class="primary">Create invitation</button>
</div>`;

function inviteForm(visit: OwnerVisit, mode: SignUpMode): Html {
  const closed = html`<p>
    Sign-up is closed. Start the server with <code>--sign-up invite</code> to invite people.
  </p>`;
  return section("invite", "Invite a user", mode === "closed" ? closed : visit.form("invite", INVITATION));
}

/** `/admin/keys`: the API keys of all users. */
export function keysPage({ keys }: AdminDeps): AdminPage {
  return {
    title: "API keys",
    async main(visit) {
      const text = visit.url.searchParams.get("q") ?? "";
      const { listed, next } = await newestFirst(visit, async (range) => keys.page({ text, ...range }));
      const empty = text === "" ? "No keys yet." : `No keys match "${text}".`;
      const given = { name: "q", value: text, maxlength: 254 };
      const search = field("Name, prefix, id or e-mail", given, { className: "wide" });
      return html`${filterForm(ROUTES.adminKeys.path, search, "Search")}
      ${keyTable(listed, visit.nowMs, empty, (key) => revokeForm(visit, key), userLink)} ${next}`;
    },
    acts: { revoke: revokeAct(keys, false) },
  };
}

/** `/admin/apps`: the connected apps of all users. */
export function appsPage({ grants: { connections } }: AdminDeps): AdminPage {
  return {
    title: "Connected apps",
    async main(visit) {
      const { listed, next } = await newestFirst(visit, async (range) => connections.page(range));
      const empty = "No connected apps yet. AI clients that people sign in with appear here.";
      return html`${appTable(visit, listed, empty, userLink)} ${next}`;
    },
    acts: { disconnect: disconnectAct(connections, false) },
  };
}
