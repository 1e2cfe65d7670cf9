/** The formula of a Homebrew tap and the manifest of a Scoop bucket, with the addresses and hashes of the archives. */
import type { ReleaseOrder } from "../contents.ts";

/** Hashes of the archives, by file name. */
export type Hashes = ReadonlyMap<string, string>;

const ABOUT = "Pay of named executive officers from SEC proxy statements, dataset inside";

/** `execcomp.rb`. Undefined if an archive that it needs was not built. */
export function homebrewFormula({ source, url }: ReleaseOrder, hashes: Hashes): string | undefined {
  const part = (platform: string) => {
    const name = `execcomp-${source.version}-${platform}.tar.gz`;
    const hash = hashes.get(name);
    return hash === undefined ? undefined : `url "${url}/v${source.version}/${name}"\n      sha256 "${hash}"`;
  };
  const platforms = ["macos-arm64", "macos-x64", "linux-arm64", "linux-x64"];
  const [macArm, macIntel, linuxArm, linuxIntel] = platforms.map(part);
  if (!macArm || !macIntel || !linuxArm || !linuxIntel) return undefined;
  return `class Execcomp < Formula
  desc "${ABOUT}"
  homepage "${url}"
  version "${source.version}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      ${macArm}
    end
    on_intel do
      ${macIntel}
    end
  end

  on_linux do
    on_arm do
      ${linuxArm}
    end
    on_intel do
      ${linuxIntel}
    end
  end

  def install
    bin.install "execcomp"
    man1.install "share/man/man1/execcomp.1"
    bash_completion.install "share/completions/execcomp.bash" => "execcomp"
    zsh_completion.install "share/completions/_execcomp"
    fish_completion.install "share/completions/execcomp.fish"
  end

  service do
    run [opt_bin/"execcomp", "serve"]
    keep_alive true
    log_path var/"log/execcomp.log"
    error_log_path var/"log/execcomp.log"
  end

  test do
    assert_match "74,294,811", shell_output("#{bin}/execcomp show AAPL --years 1")
  end
end
`;
}

/** `execcomp.json` for Scoop. Undefined if the Windows archive was not built. */
export function scoopManifest({ source, url }: ReleaseOrder, hashes: Hashes): string | undefined {
  const folder = `execcomp-${source.version}-windows-x64`;
  const hash = hashes.get(`${folder}.zip`);
  if (hash === undefined) return undefined;
  const manifest = {
    version: source.version,
    description: ABOUT,
    homepage: url,
    license: "Apache-2.0",
    architecture: {
      "64bit": { url: `${url}/v${source.version}/${folder}.zip`, hash, extract_dir: folder },
    },
    bin: "execcomp.exe",
  };
  return `${JSON.stringify(manifest, null, 4)}\n`;
}
