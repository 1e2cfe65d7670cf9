import type { Config } from "../config/settings.ts";
import { messageOf, OperatorError, whatToCheck } from "../errors.ts";
import type { Log } from "../log.ts";

/** A plain text message. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** The operator's mail server. */
export type Mailer = NonNullable<ReturnType<typeof createMailer>>;

/** Timeout of each step with the mail server. */
const STEP_MS = 10_000;

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Creates the mailer; null without a mail server, or with `--offline`. The library is loaded with the first message. A
 * server on another machine is only used over TLS.
 *
 * @throws OperatorError if there is a server but no sender
 */
export function createMailer({
  smtpUrl,
  mailFrom,
  offline,
}: Pick<Config, "smtpUrl" | "mailFrom" | "offline">) {
  if (smtpUrl === "" || offline) return null;
  if (mailFrom === "") throw new OperatorError("--smtp-url needs --mail-from: the sender's address.");
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
    /** Connects and signs in, and sends nothing. @throws OperatorError with the server's reason */
    async check(): Promise<void> {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(options);
      try {
        await transport.verify();
      } catch (cause) {
        throw new OperatorError(
          `The mail server ${host}:${options.port} cannot be used: ${messageOf(cause)}. ${whatToCheck(cause, "--smtp-url", "the server")}`,
        );
      } finally {
        transport.close();
      }
    },
    /** Sends a message; resolves when the server has accepted it, rejects with the server's reason otherwise. */
    async send({ to, subject, text }: Mail): Promise<void> {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(options);
      try {
        // An object rather than a string, so that an address is never parsed as a list.
        await transport.sendMail({ from: mailFrom, to: { name: "", address: to }, subject, text });
      } finally {
        transport.close();
      }
    },
  };
}

/** The invitation to create an account. @param site origin of the server */
export function invitation(to: string, site: string, link: string): Mail {
  return {
    to,
    subject: `Your invitation to ${new URL(site).host}`,
    text: `You are invited to ${site}.

Choose a password with this link. It works once, within a week:
${link}

If you did not expect this message, you can ignore it.
`,
  };
}

/** The link to set a new password. @param site origin of the server */
export function passwordReset(to: string, site: string, link: string): Mail {
  return {
    to,
    subject: `A new password for ${new URL(site).host}`,
    text: `Someone requested a new password for your account at ${site}.

Choose one with this link. It works once, within a day:
${link}

If this was not you, ignore this message: your password stays the same.
`,
  };
}

/** The message that an owner sends to try the mail server. @param site origin of the server */
export function testMail(to: string, site: string): Mail {
  return {
    to,
    subject: `Test from ${new URL(site).host}`,
    text: `This message was sent from ${site} to try its mail server. It arrived.
`,
  };
}

/** Maximum number of concurrent messages, in case the mail server does not answer. */
const MAX_SENDING = 50;

/** Sends messages in the background. */
export type Outbox = ReturnType<typeof createOutbox>;

/** Creates an outbox. @param log records each message: sent, failed, or dropped because too many are being sent */
export function createOutbox(mailer: Pick<Mailer, "send">, log: Log) {
  let sending = 0;
  const send = async (kind: string, mail: Mail): Promise<void> => {
    sending += 1;
    try {
      await mailer.send(mail);
      log.info("mail_sent", { kind });
    } catch (error) {
      log.error("mail_failed", { kind, message: String(error) });
    } finally {
      sending -= 1;
    }
  };
  return {
    /** Sends a message at once; rejects with the mail server's reason. */
    send: (mail: Mail) => mailer.send(mail),
    /** Queues a message. The outcome is logged, without the address. */
    post(kind: string, mail: Mail): void {
      if (sending < MAX_SENDING) void send(kind, mail);
      else log.error("mail_dropped", { kind, sending });
    },
  };
}
