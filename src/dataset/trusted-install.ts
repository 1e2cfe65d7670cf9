/** Installs snapshots from elsewhere if their bytes are intact and their signer is trusted; shared by commands and pages. */
import { OperatorError } from "../errors.ts";
import { type InstalledEntry, installFile } from "./installed.ts";
import { fingerprint, type Signer, signerOf, trustSigner } from "./signature.ts";

/** Which signers are accepted, besides those already trusted. */
export interface TrustOptions {
  /** ISO time, for the record. */
  today: string;
  /** How messages refer to the file; its path by default. */
  name?: string;
  /** Keys to trust from now on, or `anyone`, signed or not. */
  trust: "anyone" | readonly string[];
  /** What an operator can do to install the file anyway. @param key null if it is unsigned */
  advice(key: string | null): string;
}

/**
 * Installs a snapshot file.
 *
 * @throws SnapshotError if the file is not a snapshot or is damaged; OperatorError if its signer is not trusted
 */
export function installTrusted(dataDir: string, file: string, options: TrustOptions): InstalledEntry {
  const { today, name = file } = options;
  return installFile(dataDir, file, today, {
    accept(seal) {
      const signer = signerOf(dataDir, seal);
      requireTrust(name, signer, options);
      if (signer.kind === "signed" && signer.known === "no") trustSigner(dataDir, signer.key, today);
    },
  });
}

function requireTrust(name: string, signer: Signer, { trust, advice }: TrustOptions): void {
  if (signer.kind === "forged") throw forged(name, signer.key);
  if (trust === "anyone") return;
  if (signer.kind === "signed" && (signer.known !== "no" || trust.includes(signer.key))) return;
  const key = signer.kind === "signed" ? signer.key : null;
  const who = key === null ? "it is unsigned" : `its signer ${fingerprint(key)} is unknown`;
  throw new OperatorError(`${name} is not installed: ${who}. ${advice(key)}`);
}

/** The error for a file whose signature does not match its content. */
export function forged(name: string, key: string): OperatorError {
  return new OperatorError(
    `${name} has a signature of ${fingerprint(key)} that does not match its content. Download or copy the file again.`,
  );
}
