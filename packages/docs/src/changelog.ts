/** One release or, with the title "Not released yet", what comes next: its notes as Markdown list items. */
type Release = { readonly title: string; readonly notes: readonly string[] };

/**
 * The page of changes. All packages share one version, so their changelogs have the same versions; a note that several packages have is
 * written once.
 * @param changeFiles the texts of `.changeset/*.md`: a front matter with the packages, then the notes
 * @param changelogs the texts of `CHANGELOG.md` of the packages, as changesets writes them
 */
export function changelogPage(changeFiles: readonly string[], changelogs: readonly string[]): string {
  const upcoming: Release = { title: "Not released yet", notes: changeFiles.map(notesOf) };
  const releases = [...(changeFiles.length > 0 ? [upcoming] : []), ...mergeReleases(changelogs)];
  const sections = releases.map(({ title, notes }) => `## ${title}\n\n${notes.join("\n\n")}\n`);
  return `# Changelog\n\nWhat users of the packages notice. All packages share one version.\n\n${sections.join("\n")}`;
}

function notesOf(changeFile: string): string {
  return changeFile.replace(/^---\n[\s\S]*?\n---\n/, "").trim();
}

/** Releases by version, newest first as the changelogs have them. */
function mergeReleases(changelogs: readonly string[]): readonly Release[] {
  const notes = new Map<string, Set<string>>();
  for (const text of changelogs) {
    for (const [version = "", ...paragraphs] of text
      .split(/^## /m)
      .slice(1)
      .map((part) => part.split("\n"))) {
      const versionNotes = notes.get(version) ?? new Set();
      notes.set(version, versionNotes);
      for (const note of notesIn(paragraphs.join("\n"))) versionNotes.add(note);
    }
  }
  return [...notes].map(([title, all]) => ({ title, notes: [...all] }));
}

/** A release's list items without changesets' hashes, and without the lines about versions of our own packages. */
function notesIn(section: string): readonly string[] {
  const items = section.split(/^(?=- )/m).filter((item) => item.startsWith("- "));
  return items
    .map((item) =>
      item
        .replace(/^- [0-9a-f]{7}: /, "- ")
        .replace(/\n### [\s\S]*$/, "")
        .trimEnd(),
    )
    .filter((item) => !/^- Updated dependencies/.test(item));
}
