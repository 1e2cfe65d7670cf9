import { type } from "../../domain/schema.ts";
import { parseJson } from "../../domain/text.ts";
import packageJson from "../../../package.json";
import { OperatorError, messageOf } from "../../errors.ts";
import { openSnapshots } from "../../dataset/snapshots.ts";
import { command, type Io, UsageError } from "../command.ts";

/** A release's `latest.json`. */
const Latest = type({
  version: /^\d+\.\d+\.\d+$/,
  edition: /^\d{4}-\d\d-\d\d$/,
});

/** Maximum response size in bytes. */
const MAX_BYTES = 64 * 1024;
const ANSWER_MS = 10_000;

/** `execcomp update` */
export const update = command({
  name: "update",
  summary: "Check whether a newer program or dataset is available at the address you set.",
  details:
    "Requests only the address in --update-url, and only when it is run; nothing is downloaded or changed. The address is\n" +
    "that of a release's latest.json.",
  operands: [],
  flags: { check: { about: "Required: the command only checks." } },
  settings: ["updateUrl"],
  examples: [
    ["update --check --update-url https://dl.example.com/latest.json", "Check now."],
    ["update --check --json", "For a script; the address is in the configuration file."],
  ],
  async run({ flags }, io) {
    const { updateUrl, offline, dataDir } = io.loaded.config;
    if (!flags.check) throw new UsageError("update only checks; add --check. See: execcomp help update");
    if (updateUrl === null) throw new UsageError("--update-url is not set. See: execcomp help update");
    if (offline) throw new OperatorError("--offline is set, so no request can be sent. Remove --offline.");
    const offered = await ask(updateUrl, io);
    const snapshots = openSnapshots({ dataDir, monotonic: io.runtime.monotonic, who: "command" });
    const { edition } = snapshots.current().info;
    const program = { current: packageJson.version, offered: offered.version };
    const dataset = { current: edition, offered: offered.edition };
    const isNewer = {
      program: isLater(offered.version, packageJson.version),
      dataset: offered.edition > edition,
    };
    if (io.json) {
      io.printJson({
        program: { ...program, newer: isNewer.program },
        dataset: { ...dataset, newer: isNewer.dataset },
      });
      return 0;
    }
    io.print(statusLine("program", program, isNewer.program));
    io.print(statusLine("dataset", dataset, isNewer.dataset));
    return 0;
  },
});

function statusLine(
  what: string,
  { current, offered }: { current: string; offered: string },
  newer: boolean,
): string {
  return newer
    ? `${what}  ${offered} is available, ${current} is in use`
    : `${what}  ${current} is up to date`;
}

async function ask(url: string, io: Io): Promise<typeof Latest.infer> {
  let text: string;
  try {
    const answer = await io.runtime.fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    if (Number(answer.headers.get("content-length") ?? 0) > MAX_BYTES)
      throw new Error("its response is too long");
    text = await answer.text();
  } catch (cause) {
    throw new OperatorError(`Cannot check ${url}: ${messageOf(cause)}.`);
  }
  const read = Latest(parseJson(text));
  if (read instanceof type.errors)
    throw new OperatorError(`${url} is not a release's latest.json: ${read.summary}.`);
  return read;
}

/** Whether a version of three numbers is higher than another. */
function isLater(one: string, other: string): boolean {
  const others = other.split(".").map(Number);
  for (const [place, number] of one.split(".").map(Number).entries()) {
    const difference = number - (others[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
