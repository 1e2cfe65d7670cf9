import type { AuditLog } from "../../accounts/audit.ts";
import { messageOf, OperatorError, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { type Outbox, testMail } from "../../operate/mail.ts";
import { tableOf } from "../account-tables.ts";
import type { AdminPage } from "./frame.ts";

/** A setting in force, with secrets masked. */
interface ShownSetting {
  /** Without the dashes. */
  flag: string;
  value: unknown;
  origin: string;
  about: string;
}

export interface SettingsPageDeps {
  /** Every setting in force, with secrets masked. */
  settings(): readonly ShownSetting[];
  /** Null where no mail server is configured. */
  outbox: Outbox | null;
  /** Reads the sign-in provider's metadata and keys; null without a provider. Returns a sentence about it. */
  testProvider: (() => Promise<string>) | null;
  audit: Pick<AuditLog, "record">;
}

/** `/admin/settings`: the settings as they are in force, and trying what they lead to. They are changed where they are set. */
export function settingsPage({ settings, outbox, testProvider, audit }: SettingsPageDeps): AdminPage {
  return {
    title: "Settings",
    main(visit) {
      const all = settings();
      const isSet = ({ origin }: ShownSetting) => origin !== "default";
      return html`<p>
          These settings are in force. To change one, start the server with another flag, environment variable
          or line in its configuration file.
        </p>
        <section aria-labelledby="tests">
          <h2 id="tests">Try them</h2>
          <div class="row actions">
            ${
              outbox === null
                ? html`<p class="soft">
                    E-mail is off: set <code>--smtp-url</code> and <code>--mail-from</code> to send
                    invitations and password resets.
                  </p>`
                : visit.form("mail", html`<button>Send a test mail to ${visit.who.email}</button>`)
            }
            ${
              testProvider === null
                ? html`<p class="soft">
                    Sign-in through a provider is off: set <code>--sso-issuer</code> and
                    <code>--sso-client-id</code>.
                  </p>`
                : visit.form("provider", html`<button>Test the sign-in provider</button>`)
            }
          </div>
        </section>
        ${settingsTable("Set by you", all.filter(isSet), "Every setting has its default.")}
        ${settingsTable(
          "Defaults",
          all.filter((setting) => !isSet(setting)),
          "",
        )}`;
    },
    acts: {
      mail: {
        async run({ who, actor, url }) {
          if (outbox === null) throw new ServiceError("unavailable", "No mail server is configured.");
          await audit.record(actor, { act: "mail_tested", subject: who.email });
          try {
            await outbox.send(testMail(who.email, url.origin));
          } catch (error) {
            throw new OperatorError(`The mail server did not accept the message: ${messageOf(error)}`);
          }
          return { said: `The mail server accepted a message to ${who.email}. Look into that mailbox.` };
        },
      },
      provider: {
        async run() {
          if (testProvider === null) throw new ServiceError("unavailable", "No provider is configured.");
          return { said: await testProvider() };
        },
      },
    },
  };
}

function settingsTable(caption: string, settings: readonly ShownSetting[], empty: string): Html {
  return tableOf(
    caption,
    ["Setting", "Value", "From", "What it does"],
    settings.map(({ flag, value, origin, about }) => [
      html`<code class="whole">--${flag}</code>`,
      valueText(value),
      origin,
      about,
    ]),
    empty,
  );
}

function valueText(value: unknown): string {
  if (value === null || value === "") return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.join(", ");
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}
