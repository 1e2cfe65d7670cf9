import { command } from "./command.ts";
import { completions } from "./completion-scripts.ts";
import type { CommandList } from "./help.ts";

/** The script file of each shell, named as in the packages. */
const SCRIPTS = {
  bash: "execcomp.bash",
  zsh: "_execcomp",
  fish: "execcomp.fish",
  powershell: "execcomp.ps1",
} as const;
const SHELLS = Object.keys(SCRIPTS);

/** `execcomp completions SHELL` */
export const completionsFor = ({ names, load }: CommandList) =>
  command({
    name: "completions",
    summary: "Print the completion script of a shell.",
    details:
      "bash:        source <(execcomp completions bash)                     in ~/.bashrc\n" +
      "zsh:         source <(execcomp completions zsh)                      in ~/.zshrc, after compinit\n" +
      "fish:        execcomp completions fish | source                      in ~/.config/fish/config.fish\n" +
      "PowerShell:  execcomp completions powershell | Out-String | Invoke-Expression   in $PROFILE",
    operands: [{ name: "SHELL", about: "One of bash, zsh, fish, powershell.", choices: SHELLS }],
    flags: {},
    settings: [],
    examples: [["completions bash", "The script for bash, to be sourced."]],
    async run({ operands: [shell = ""] }, io) {
      // Other values have been refused because of `choices`.
      const script =
        completions(await Promise.all(names.map(load)))[SCRIPTS[shell as keyof typeof SCRIPTS]] ?? "";
      if (io.json) io.printJson({ shell, script });
      else await io.write(script);
      return 0;
    },
  });
