/** Installs snapshots from elsewhere if their bytes are intact and their signer is trusted; shared by commands and pages. */
import { type Edition, editionName, isOlder } from "../domain/edition.ts";
import { messageOf, OperatorError } from "../errors.ts";
import { linkToInUse } from "./changes/chain.ts";
import { type InstalledEntry, installFile } from "./installed.ts";
import { SnapshotError } from "./open.ts";
import { findSealLine, readSealLine, type Seal } from "./seal.ts";
import { fingerprint, signerOf, trustSigner } from "./signature.ts";

/** Which files are accepted, besides those of signers already trusted. */
export interface TrustOptions {
  /** ISO time, for the record. */
  today: string;
  /** How messages refer to the file; its path by default. */
  name?: string;
  /** Keys to trust from now on, or `anyone`, signed or not. */
  trust: "anyone" | readonly string[];
  /** An older edition than this one is refused. */
  atLeast?: Edition | null;
  /** What an operator can do to install the file anyway. @param key null if it is unsigned */
  advice(key: string | null): string;
  /** Called if the file was installed, but not what it changed was recorded. */
  note?(text: string): void;
}

/**
 * Installs a snapshot file.
 *
 * @throws SnapshotError if the file is not a snapshot or is damaged; OperatorError if its signer is not trusted
 */
export function installTrusted(dataDir: string, file: string, options: TrustOptions): InstalledEntry {
  const { today, name = file, note = () => {} } = options;
  return installFile(dataDir, file, today, {
    accept(seal, copy) {
      requireAccepted(dataDir, name, seal, options);
      const signer = signerOf(dataDir, seal);
      if (signer.kind === "signed" && signer.known === "no") trustSigner(dataDir, signer.key, today);
      try {
        linkToInUse(dataDir, copy, seal, today);
      } catch (error) {
        // Optional: a full disk or a damaged predecessor must not prevent an installation that repairs it.
        note(`What changed with ${name} is not recorded: ${messageOf(error)}.`);
      }
    },
  });
}

/**
 * Checks the seal in the first bytes of a file that is still arriving: who signed it, and which edition it is.
 *
 * @param head at least `SEAL_WITHIN` bytes, or the whole file
 * @throws SnapshotError if there is no seal; OperatorError as in `installTrusted`
 */
export function requireTrustedHead(
  dataDir: string,
  name: string,
  head: Uint8Array,
  options: TrustOptions,
): void {
  const seal = readSealLine(findSealLine(head) ?? "");
  if (seal === undefined)
    throw new SnapshotError(
      "foreign",
      `${name} is not a snapshot of this version of execcomp: there is no seal in its first bytes. Give a file made by \`execcomp data export --format sqlite\`.`,
    );
  requireAccepted(dataDir, name, seal, options);
}

function requireAccepted(dataDir: string, name: string, seal: Seal, options: TrustOptions): void {
  const { trust, advice, atLeast = null } = options;
  const signer = signerOf(dataDir, seal);
  if (signer.kind === "forged") throw forged(name, signer.key);
  const isTrusted = signer.kind === "signed" && (signer.known !== "no" || trust.includes(signer.key));
  if (trust !== "anyone" && !isTrusted) {
    const key = signer.kind === "signed" ? signer.key : null;
    const who = key === null ? "it is unsigned" : `its signer ${fingerprint(key)} is unknown`;
    throw new OperatorError(`${name} is not installed: ${who}. ${advice(key)}`);
  }
  if (atLeast !== null && isOlder(seal, atLeast))
    throw new OperatorError(
      `${name} is not installed: its edition ${editionName(seal)} is older than ${editionName(atLeast)}, which is installed or was. If its publisher went back on purpose, run \`execcomp data follow --allow-older\` once.`,
    );
}

/** The error for a file whose signature does not match its content. */
export function forged(name: string, key: string): OperatorError {
  return new OperatorError(
    `${name} has a signature of ${fingerprint(key)} that does not match its content. Download or copy the file again.`,
  );
}
