import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder `docs` of this package, or null. @param from the folder of this program: `dist`, or a folder of the sources */
export function findDocs(from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "docs", "index.md"))) return join(folder, "docs");
    if (existsSync(join(folder, "package.json")) || dirname(folder) === folder) return null;
  }
}
