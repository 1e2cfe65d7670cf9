/**
 * The Python wheel: the executable as a script of the environment, and a module that calls it. @see PEP 427, PEP 425
 */
import { bytesOf, type Entry, zip } from "../archives.ts";
import type { Built, ReleaseFile } from "../contents.ts";
import { readText } from "../source.ts";

/** The wheel of one machine. */
export async function wheel(built: Built): Promise<ReleaseFile> {
  const { source, platform, contents, executable, deflate } = built;
  const { version } = source;
  const info = `execcomp-${version}.dist-info`;
  const text = (path: string, content: string): Entry => ({ path, content, mode: 0o644 });
  const files: Entry[] = [
    text("execcomp/__init__.py", readText("scripts/release/files/python/__init__.py")),
    text("execcomp/__main__.py", readText("scripts/release/files/python/__main__.py")),
    { path: `execcomp-${version}.data/scripts/${platform.executable}`, content: executable, mode: 0o755 },
    text(`${info}/METADATA`, metadata(version, contents.readme)),
    text(`${info}/WHEEL`, wheelFile(platform.wheel)),
    text(`${info}/licenses/LICENSE`, contents.licence),
    text(`${info}/licenses/THIRD-PARTY-NOTICES.txt`, contents.notices),
  ];
  const record = text(`${info}/RECORD`, recordOf(files, `${info}/RECORD`));
  return {
    name: `execcomp-${version}-py3-none-${platform.wheel}.whl`,
    bytes: await zip([...files, record], source.date, deflate),
  };
}

function metadata(version: string, readme: string): string {
  return [
    "Metadata-Version: 2.4",
    "Name: execcomp",
    `Version: ${version}`,
    "Summary: What public companies paid their named executive officers, from SEC proxy statements",
    "License-Expression: Apache-2.0",
    "License-File: LICENSE",
    "License-File: THIRD-PARTY-NOTICES.txt",
    "Requires-Python: >=3.9",
    "Provides-Extra: notebook",
    'Requires-Dist: pandas>=2; extra == "notebook"',
    'Requires-Dist: pyarrow>=14; extra == "notebook"',
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
}

/** Compressed tags are expanded, one per line. */
function wheelFile(platforms: string): string {
  const tags = platforms.split(".").map((platform) => `Tag: py3-none-${platform}`);
  return ["Wheel-Version: 1.0", "Generator: execcomp", "Root-Is-Purelib: false", ...tags, ""].join("\n");
}

function recordOf(files: readonly Entry[], self: string): string {
  const lines = files.map(({ path, content }) => {
    const bytes = bytesOf(content);
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
    return `${path},sha256=${hash},${bytes.length}`;
  });
  return [...lines, `${self},,`, ""].join("\n");
}
