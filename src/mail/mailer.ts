import { OperatorError } from "../errors.ts";

/** One message in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** The operator's mail server. */
export interface Mailer {
  /** Sends a message; resolves when the server has taken it, rejects with the server's reason when it has not. */
  send(mail: Mail): Promise<void>;
}

/** What sending mail is set up by. */
export interface MailSettings {
  /** `smtp://USER:PASSWORD@HOST:PORT` (STARTTLS) or `smtps://…` (TLS from the start); empty for no mail. */
  smtpUrl: string;
  /** The sender. */
  mailFrom: string;
  offline: boolean;
}

/** How long a mail server may take for each step. */
const STEP_MS = 10_000;

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * What sends mail; null where no server is set, or nothing may leave the machine. The library is loaded with the first
 * message. A server that is not on this machine is spoken to over TLS or not at all.
 *
 * @throws OperatorError when there is a server and no sender
 */
export function createMailer({ smtpUrl, mailFrom, offline }: MailSettings): Mailer | null {
  if (smtpUrl === "" || offline) return null;
  if (mailFrom === "") {
    throw new OperatorError("--smtp-url needs --mail-from: the address that mail is sent from.");
  }
  const { hostname, port, protocol, username, password } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const options = {
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !LOOPBACK.includes(hostname),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
  return {
    async send({ to, subject, text }) {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(options);
      try {
        // An object, not a line: an address is never read as a list of several.
        await transport.sendMail({ from: mailFrom, to: { name: "", address: to }, subject, text });
      } finally {
        transport.close();
      }
    },
  };
}
