import { ServiceError } from "../errors.ts";
import type { BaseUrls } from "../base-urls.ts";
import type { Services } from "../compose.ts";
import type { Io } from "./command.ts";

/** What to tell whoever started a server of its first owner; undefined while the store cannot be asked. */
export type FirstOwner = string | null | undefined;

/** How often a store that could not be asked is asked again. */
const ASK_EVERY_MS = 1000;

/**
 * Makes the owner that the configuration names; else, while there is none, says how to make one.
 * @param folder what a command needs to work on the same data folder
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
    return `This server has no owner yet. Set it up in a browser with this one-time link, valid for a week:\n  ${baseUrls.origin}/set-up?token=${secret}\nor by: execcomp users create --user EMAIL --password-stdin${folder}`;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === "unavailable") return undefined;
    throw error;
  }
}

/**
 * Tells of the first owner what is known, or, where the store could not be asked yet, as soon as it can.
 * @returns what ends the waiting
 */
export function tellFirstOwner(
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
  let isOver = false;
  const ask = async () => {
    const found = await firstOwner(services, baseUrls, folder).catch((error: unknown) => {
      services.log.error("no_first_owner", { message: String(error) });
      return null;
    });
    if (isOver) return;
    if (found === undefined) timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    else if (found !== null) io.print(found);
  };
  void ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
