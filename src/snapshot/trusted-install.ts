/** A snapshot from elsewhere is put to use when its bytes are whole and its signer is trusted; commands and pages do it alike. */
import { OperatorError } from "../errors.ts";
import { type InstalledEntry, installFile } from "./installed.ts";
import { fingerprint, type Signer, signerOf, trustSigner } from "./signature.ts";

/** Whose files are installed beside those of signers who are known already. */
export interface TrustOptions {
  /** For the record; an ISO time. */
  today: string;
  /** What messages call the file; its path by default. */
  name?: string;
  /** Keys that are trusted from their first file on, or everybody, signed or not. */
  trust: "everybody" | readonly string[];
  /** What an operator does who wants the file all the same. @param key null where it is unsigned */
  advice(key: string | null): string;
}

/**
 * Installs a snapshot file.
 *
 * @throws SnapshotError for a file that is none, or damaged; OperatorError for one whose signer is not trusted
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
  if (trust === "everybody") return;
  if (signer.kind === "signed" && (signer.known !== "no" || trust.includes(signer.key))) return;
  const key = signer.kind === "signed" ? signer.key : null;
  const who = key === null ? "it is unsigned" : `its signer ${fingerprint(key)} is unknown`;
  throw new OperatorError(`${name} is not installed: ${who}. ${advice(key)}`);
}

/** What to say of a file whose signature is not one over its content. */
export function forged(name: string, key: string): OperatorError {
  return new OperatorError(
    `${name} has a signature of ${fingerprint(key)} that does not match its content. Download or copy the file again.`,
  );
}
