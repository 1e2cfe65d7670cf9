/** The bill of materials of a release. @see CycloneDX 1.6, ECMA-424 */
import type { BundledPackage } from "./bundled.ts";

/** The document's information about the release itself. */
export interface SbomSubject {
  version: string;
  date: Date;
  /** The embedded dataset: its edition and its content hash. */
  dataset: { edition: string; contentHash: string };
}

/** CycloneDX as JSON text: the components of the executable. The same release produces the same text. */
export function cycloneDx(packages: readonly BundledPackage[], subject: SbomSubject): string {
  const root = `pkg:generic/execcomp@${subject.version}`;
  const components = [...packages.map(packageComponent), runtimeComponent(), datasetComponent(subject)];
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: subject.date.toISOString(),
      component: {
        type: "application",
        "bom-ref": root,
        name: "execcomp",
        version: subject.version,
        licenses: [{ license: { id: "Apache-2.0" } }],
        purl: root,
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: components.map((one) => one["bom-ref"]) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function packageComponent({ name, version, licence, homepage, within }: BundledPackage) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    scope: "required",
    licenses: licenceOf(licence),
    purl,
    ...(homepage !== null && URL.canParse(homepage)
      ? { externalReferences: [{ type: "website", url: homepage }] }
      : {}),
    ...(within === null ? {} : { properties: [{ name: "execcomp:within", value: within }] }),
  };
}

function licenceOf(licence: string) {
  if (/\b(OR|AND|WITH)\b/.test(licence)) return [{ expression: licence.replace(/^\((.*)\)$/, "$1") }];
  return [{ license: /^[\w.+-]+$/.test(licence) ? { id: licence } : { name: licence } }];
}

function runtimeComponent() {
  const { version } = Bun;
  const purl = `pkg:npm/bun@${version}`;
  const licenses = [{ license: { id: "MIT" } }];
  return { type: "platform", "bom-ref": purl, name: "bun", version, scope: "required", licenses, purl };
}

function datasetComponent({ dataset }: SbomSubject) {
  return {
    type: "data",
    "bom-ref": `dataset@${dataset.edition}`,
    name: "execcomp dataset",
    version: dataset.edition,
    hashes: [{ alg: "SHA-256", content: dataset.contentHash }],
  };
}
