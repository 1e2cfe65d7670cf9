import { PROGRAM } from "./program.ts";

/** What a terminal showed of a program that has ended. */
export interface Shown {
  code: number;
  /** Everything as it was sent, with escape codes. */
  raw: string;
  /** The lines as they stay on the screen, without escape codes: a status line that was replaced is not among them. */
  lines: string[];
}

/** Once the terminal shows `at`, this is done: a signal is sent, or keys are typed. */
interface Ending {
  at: RegExp;
  signal?: NodeJS.Signals;
  keys?: string;
}

/**
 * Runs the program in a separate process on a real terminal: standard input, output and error.
 * @param ending how a program that does not end by itself is ended
 */
export async function onTerminal(
  words: readonly string[],
  columns: number,
  environment: Readonly<Record<string, string>>,
  ending?: Ending,
): Promise<Shown> {
  const decoder = new TextDecoder();
  let raw = "";
  let end = () => {};
  const child = Bun.spawn([...PROGRAM, ...words], {
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", PAGER: "", ...environment },
    terminal: {
      cols: columns,
      rows: 50,
      data(_terminal, chunk) {
        raw += decoder.decode(chunk, { stream: true });
        if (ending?.at.test(raw) !== true) return;
        end();
        end = () => {};
      },
    },
  });
  end = () => {
    if (ending?.signal !== undefined) child.kill(ending.signal);
    if (ending?.keys !== undefined) child.terminal?.write(ending.keys);
  };
  const code = await child.exited;
  child.terminal?.close();
  const lines = raw.split("\n").map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "");
  return { code, raw, lines: lines.map((line) => Bun.stripANSI(line)) };
}
