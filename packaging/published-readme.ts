const BEFORE_NPM = /<!-- before the first version on npm -->\n[\s\S]*?<!-- from the first version on npm -->\n+/g;

/**
 * The README as npm shows it, alone. What holds only before the first version is left out. A link to a file of the repository leads
 * to the repository, or is plain text while the repository has no URL. Links to the web and within the page stay.
 * @param repositoryUrl `https://host/owner/name`, or null while it has none
 * @param directory the package's folder in the repository: `packages/core`
 */
export function publishedReadme(text: string, repositoryUrl: string | null, directory: string): string {
  return outsideCode(text.replace(BEFORE_NPM, ""), (prose) =>
    prose.replace(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g,
      (link, image: string, label: string, target: string) => {
        if (/^(?:https?:|mailto:|#)/.test(target)) return link;
        if (repositoryUrl === null) return label;
        const base = `${repositoryUrl}/${image === "" ? "blob" : "raw"}/HEAD/${directory}/`;
        return `${image}[${label}](${new URL(target, base).href})`;
      },
    ),
  );
}

/** Changes the text outside code blocks. A code span inside a link's label belongs to the link. */
export function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith("```") ? part : change(part)))
    .join("");
}
