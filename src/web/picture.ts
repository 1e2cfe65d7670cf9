/** The images that pages name for link previews; `preview-pictures.ts` draws them. */
import { PREVIEW } from "../charts/preview.ts";
import type { Picture } from "../html.ts";
import type { PageCompany } from "../operations/page-data.ts";
import type { WebDeps } from "./deps.ts";
import { pathOf } from "./pages/parts.ts";

/** The preview image of a page. @param path of the image, with its query */
export function pictureOf(deps: WebDeps, request: Request, path: string, alt: string): Picture {
  const { origin } = deps.contextOf(request).baseUrls;
  const edition = deps.snapshots.current().info.contentHash.slice(0, 8);
  const address = `${origin}${path}${path.includes("?") ? "&" : "?"}v=${edition}`;
  return { address, ...PREVIEW, alt };
}

/** The preview image of a company's pages. */
export function companyPicture(deps: WebDeps, request: Request, found: PageCompany): Picture {
  const alt = `Executive pay of ${found.company.name} by person and component, latest fiscal year.`;
  return pictureOf(deps, request, `${pathOf(found)}/preview.png`, alt);
}
