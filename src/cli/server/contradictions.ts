/** Settings that a server cannot have together. */
import type { Config } from "../../config/settings.ts";
import { OperatorError } from "../../errors.ts";
import { isLoopback, isReachableByOthers } from "../../http/base-urls.ts";
import { restoreInto } from "../../store/faults.ts";
import { storeState } from "../../store/folder.ts";

/** Refuses open sign-up on a server that others can reach. */
function refuseOpenSignUp(config: Config): void {
  if (config.signUp !== "open" || !isReachableByOthers(config)) return;
  const { host, publicUrl, trustedProxies } = config;
  const why = !isLoopback(host)
    ? `listen on ${host}`
    : publicUrl !== null
      ? `be known as ${publicUrl}`
      : `be behind the proxy ${trustedProxies.join(", ")}`;
  throw new OperatorError(
    `Sign-up is open and the server would ${why}, which others can reach. Set --sign-up invite, or make it reachable only from this machine.`,
  );
}

/** Refuses settings that contradict each other. @throws OperatorError that names them */
export function refuseContradictions(config: Config): void {
  refuseOpenSignUp(config);
  const { offline, contact, windows, store, backupDir } = config;
  const ingests = config.ingestEvery !== null;
  const contradictions = [
    ingests && offline && "--ingest-every fetches filings, but --offline is set. Remove one of them.",
    ingests &&
      contact === "" &&
      'EDGAR requires a name and an e-mail address with every request. --ingest-every requires --contact "Name mail@host".',
    windows.length > 0 &&
      offline &&
      "--windows connects to other servers, but --offline is set. Remove one of them.",
    store !== "" && offline && "--store connects to a database, but --offline is set. Remove one of them.",
    store !== "" &&
      backupDir !== "" &&
      "--backup-dir copies the store file in the data folder, but --store keeps the accounts in PostgreSQL. Remove --backup-dir and back up the database with pg_dump.",
    config.tlsCert !== "" &&
      config.publicUrl?.startsWith("http:") === true &&
      `--tls-cert makes this server speak https, but --public-url is ${config.publicUrl}. Set it to an https address, or remove --tls-cert and --tls-key.`,
    config.clientMetadataDocuments === "on" &&
      offline &&
      "--client-metadata-documents on fetches documents, but --offline is set. Remove one of them.",
    (config.ownerEmail === "") !== (config.ownerPassword === "") &&
      "The first owner needs both --owner-email and --owner-password. Add the other one, or remove both.",
  ];
  const found = contradictions.find((message) => message !== false);
  if (found !== undefined) throw new OperatorError(found);
}

/** `--require-store`: an empty store in place of a real one would refuse every key and give everyone new credits. */
export function requireStore({ requireStore: isRequired, dataDir, store }: Config): void {
  if (!isRequired || store !== "" || storeState(dataDir) === "there") return;
  throw new OperatorError(
    `There is no store in ${dataDir} but --require-store is set. Is its disk mounted? Restore a backup (${restoreInto(dataDir)}), or start once without --require-store to create a new store.`,
  );
}
