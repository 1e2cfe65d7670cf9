/** The certificate of a server that terminates TLS itself. */
import { readFileSync } from "node:fs";
import { OperatorError } from "../../errors.ts";

/** A certificate chain and its key, as PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/**
 * Reads both files; null for plain HTTP. @throws OperatorError when one is missing or unreadable, or they do not match
 */
export function readTls({ tlsCert, tlsKey }: { tlsCert: string; tlsKey: string }): Tls | null {
  if (tlsCert === "" && tlsKey === "") return null;
  if (tlsCert === "" || tlsKey === "") {
    throw new OperatorError("--tls-cert and --tls-key belong together: give the certificate and its key.");
  }
  const tls = { cert: readPem("--tls-cert", tlsCert), key: readPem("--tls-key", tlsKey) };
  if (!isPair(tls, `${tlsCert} and ${tlsKey}`))
    throw new OperatorError(`The key ${tlsKey} does not belong to the certificate ${tlsCert}.`);
  return tls;
}

function isPair({ cert, key }: Tls, names: string): boolean {
  // Loaded only with a certificate (docs/decisions/executable.md).
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (cause) {
    throw new OperatorError(`Cannot read ${names} as PEM: ${String(cause)}.`);
  }
}

function readPem(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OperatorError(`Cannot read ${flag} ${file}: ${String(cause)}.`);
  }
}
