/** A snapshot from elsewhere is put to use when its bytes are whole and its signer is trusted; commands and pages do it alike. */
import { OperatorError } from "../errors.ts";
import { type InstalledEntry, installFile } from "./installed.ts";
import { fingerprint, type Signer, signerOf, trustSigner } from "./signature.ts";

/**
 * Installs a snapshot file.
 *
 * @param options.today for the record; an ISO time
 * @param options.trust whether an unsigned file is accepted, and a new signer, who is trusted from then on
 * @throws SnapshotError for a file that is none, or damaged; OperatorError for one whose signer is not trusted
 */
export function installTrusted(
  dataDir: string,
  file: string,
  { today, trust }: { today: string; trust: boolean },
): InstalledEntry {
  return installFile(dataDir, file, today, {
    accept(seal) {
      const signer = signerOf(dataDir, seal);
      requireTrust(file, signer, trust);
      if (signer.kind === "signed" && signer.known === "no") trustSigner(dataDir, signer.key, today);
    },
  });
}

function requireTrust(file: string, signer: Signer, trust: boolean): void {
  if (signer.kind === "forged") throw forged(file, signer.key);
  if (trust || (signer.kind === "signed" && signer.known !== "no")) return;
  const who =
    signer.kind === "nobody" ? "it is unsigned" : `its signer ${fingerprint(signer.key)} is unknown`;
  throw new OperatorError(
    `${file} is not installed: ${who}. Check the key with its publisher, then run \`execcomp data install ${file} --trust\`.`,
  );
}

/** What to say of a file whose signature is not one over its content. */
export function forged(name: string, key: string): OperatorError {
  return new OperatorError(
    `${name} has a signature of ${fingerprint(key)} that does not match its content. Download or copy the file again.`,
  );
}
