import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A message as received by a mail server. */
export interface TakenMail {
  from: string;
  to: string[];
  /** Headers and text, decoded from quoted-printable. */
  text: string;
}

/** A real SMTP server on a free port of this machine. */
export interface MailServer {
  /** For `--smtp-url`, without a user. */
  url: string;
  port: number;
  taken: TakenMail[];
  stop(): Promise<void>;
}

/**
 * Starts it.
 *
 * @param options of the library; by default it accepts everything, over a plain connection
 * @param address of this machine; 127.0.0.2 has no name that resolves to it
 */
export async function startMailServer(
  options: SMTPServerOptions = {},
  address = "127.0.0.1",
): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const text = raw.replaceAll(/=\r\n/g, "").replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => {
          return String.fromCharCode(Number.parseInt(hex, 16));
        });
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
    ...options,
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = server.listen(0, address, () => resolve());
  await promise;
  const bound = listener.address();
  if (bound === null || typeof bound === "string") throw new Error("a listener has a port");
  return {
    url: `smtp://${address}:${bound.port}`,
    port: bound.port,
    taken,
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}
