/** The part of the changelog that belongs to one version. */

/** The changes of a version as a separate document. @throws Error if the changelog has no section for it */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => /^[^\s,]+/.exec(one)?.[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `# execcomp ${section.trim()}\n`;
}
