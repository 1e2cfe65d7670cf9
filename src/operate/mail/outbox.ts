import type { Log } from "../../log.ts";
import type { Mail, Mailer } from "./mailer.ts";

/** Maximum number of concurrent messages, in case the mail server does not answer. */
const MAX_SENDING = 50;

/** Sends messages in the background. */
export interface Outbox {
  /** Queues a message. The outcome is logged, without the address. */
  post(kind: string, mail: Mail): void;
}

/** Creates an outbox. @param log records each message: sent, failed, or dropped because too many are being sent */
export function createOutbox(mailer: Mailer, log: Log): Outbox {
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
    post(kind, mail) {
      if (sending < MAX_SENDING) void send(kind, mail);
      else log.error("mail_dropped", { kind, sending });
    },
  };
}
