import type { Log } from "../log.ts";
import type { Mail, Mailer } from "./mailer.ts";

/** Messages on their way at most; more would wait for a mail server that does not answer. */
const MAX_SENDING = 50;

/** Sends messages that nobody waits for. */
export interface Outbox {
  /** Sends it in the background: what becomes of it is said in the log, without the address. */
  post(kind: string, mail: Mail): void;
}

/** @param log hears of every message: sent, failed, or dropped because too many are on their way */
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
