/** One release with its notes as Markdown list items. The title is a version or "Not released yet". */
type Release = { readonly title: string; readonly notes: readonly string[] };

/**
 * The page with the changes of all versions. All packages have the same versions, so a note in several changelogs is written only once.
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

/** The releases of all changelogs, newest first, because each changelog has its newest version first. */
function mergeReleases(changelogs: readonly string[]): readonly Release[] {
  const notesByVersion = new Map<string, Set<string>>();
  for (const section of changelogs.flatMap((changelog) => changelog.split(/^## /m).slice(1))) {
    const [version = "", ...lines] = section.split("\n");
    const versionNotes = notesByVersion.get(version) ?? new Set();
    notesByVersion.set(version, versionNotes);
    for (const note of notesIn(lines.join("\n"))) versionNotes.add(note);
  }
  return [...notesByVersion].map(([title, notes]) => ({ title, notes: [...notes] }));
}

/** The list items of a release, without the hashes that changesets writes and without items about versions of our own packages. */
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
