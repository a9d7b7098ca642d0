import { posix } from "node:path";

/** The pages of the site that show a file of the repository. */
const pages: Readonly<Record<string, string>> = {
  "README.md": "/",
  "HANDBOOK.md": "/errors",
  "docs/glossary.md": "/glossary",
  "docs/options.md": "/options",
  "docs/measurements.md": "/measurements",
  "packages/client/API.md": "/service-api/",
};

const pictures = /\.(?:png|jpg|svg)$/;

/**
 * Changes the links in the text of a repository file, so that the text can be a page of the site. A link to a file that the site shows
 * leads to the file's page. A link to any other file becomes plain text, because the site does not know where the repository is
 * published. Links to the web and within the page stay.
 * @param folder the file's folder in the repository: `packages/core`, or an empty text
 * @param pictureFolder where the page finds the pictures of that folder, such as `../../../../core`
 */
export function withSiteLinks(text: string, folder: string, pictureFolder = ""): string {
  return outsideCode(text, (prose) =>
    prose.replace(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g,
      (link, image: string, label: string, target: string) => {
        if (/^(?:https?:|mailto:|#)/.test(target)) return link;
        if (pictures.test(target)) return image === "" ? label : `![${label}](${posix.join(pictureFolder, target)})`;
        const address = siteAddress(posix.join(folder, target));
        return address === null ? label : `[${label}](${address})`;
      },
    ),
  );
}

/** The page that shows a file of the repository, with the anchor: `packages/core` → `/api/core/`. Null for a file without a page. */
function siteAddress(path: string): string | null {
  const [file = "", anchor] = path.split("#");
  const page = pageOf(file);
  if (page === undefined) return null;
  return anchor === undefined ? page : `${page}#${anchor}`;
}

function pageOf(file: string): string | undefined {
  const sitePage = /^packages\/docs\/site\/(.+)\.md$/.exec(file)?.[1];
  if (sitePage !== undefined) return `/${sitePage}`;
  const packageFolder = /^packages\/([a-z-]+)(?:\/(?:README\.md)?)?$/.exec(file)?.[1];
  return packageFolder === undefined ? pages[file] : `/api/${packageFolder}/`;
}

/** Changes the text outside code blocks. */
function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part) => (/^ *```/.test(part) ? part : change(part)))
    .join("");
}
