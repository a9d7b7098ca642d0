import { posix } from "node:path";

/** The files of the repository that have a page of their own. */
const pages: Readonly<Record<string, string>> = {
  "README.md": "/",
  "HANDBOOK.md": "/errors",
  "docs/glossary.md": "/glossary",
  "docs/measurements.md": "/measurements",
  "packages/client/API.md": "/service-api/",
};

const pictures = /\.(?:png|jpg|svg)$/;

/**
 * The text of a file of the repository as a page of the site. A link to a file that is a page leads to the page; a link to another file is
 * its label alone, because the site does not know where the repository is published. Links to the web and within the page stay.
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

/** The page of a file of the repository, with its anchor: `packages/core` → `/api/core/`. Null for a file without a page. */
function siteAddress(path: string): string | null {
  const [file = "", anchor] = path.split("#");
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  const name = /^packages\/([a-z-]+)(?:\/(?:README\.md)?)?$/.exec(file)?.[1];
  const sitePage = /^packages\/docs\/site\/(.+)\.md$/.exec(file)?.[1];
  const page = sitePage !== undefined ? `/${sitePage}` : name === undefined ? pages[file] : `/api/${name}/`;
  return page === undefined ? null : page + suffix;
}

/** Changes the text outside code blocks. */
function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part) => (/^ *```/.test(part) ? part : change(part)))
    .join("");
}
