import { ServiceError } from "../../errors.ts";
import type { BaseUrls } from "../../http/base-urls.ts";
import type { Services } from "../../server/compose.ts";
import type { Io } from "../command.ts";

/** The message about the first owner; null if none is needed, undefined while the store is unavailable. */
export type FirstOwner = string | null | undefined;

/** Retry interval while the store is unavailable. */
const ASK_EVERY_MS = 1000;

/**
 * Creates the owner named in the configuration; otherwise, if there is none yet, returns instructions for creating one.
 * @param folder appended to the command in the instructions (see `sameFolder`)
 */
export async function firstOwner(
  { accounts, config }: Services,
  baseUrls: BaseUrls,
  folder: string = "",
): Promise<FirstOwner> {
  if (accounts === null) return null;
  const { signUps, store, users } = accounts;
  await store.ready();
  if (store.failure !== null) return undefined;
  try {
    if (await users.hasOwner()) return null;
    if (config.ownerEmail !== "" && config.ownerPassword !== "") {
      await signUps.createWithPassword(config.ownerEmail, config.ownerPassword);
      return null;
    }
    const secret = await signUps.setUpSecret();
    if (secret === null) return null;
    return `This server has no owner yet. Set it up in a browser with this one-time link, valid for a week:\n  ${baseUrls.origin}/set-up?token=${secret}\nor run: execcomp users create --user EMAIL --password-stdin${folder}`;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === "unavailable") return undefined;
    throw error;
  }
}

/**
 * Prints the message about the first owner, waiting until the store is available if necessary.
 * @returns a function that stops waiting
 */
export function printFirstOwner(
  known: FirstOwner,
  services: Services,
  baseUrls: BaseUrls,
  io: Pick<Io, "print">,
  folder: string = "",
): () => void {
  if (known !== undefined) {
    if (known !== null) io.print(known);
    return () => {};
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const ask = async () => {
    const found = await firstOwner(services, baseUrls, folder).catch((error: unknown) => {
      services.log.error("no_first_owner", { message: String(error) });
      return null;
    });
    if (isStopped) return;
    if (found === undefined) timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    else if (found !== null) io.print(found);
  };
  void ask();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
