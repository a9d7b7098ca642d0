import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { repository, siteFolder } from "../src/folders.ts";

/** A file that a page shows, as a whole or only one region of the file. */
export type Inclusion = { readonly page: string; readonly file: string; readonly region: string | null };

/** The inclusions of a page: `<<< @/path#region{ts} [label]` for code, and `<!--@include: ./path#region-->` for Markdown. */
export function inclusionsOf(page: string, text: string): readonly Inclusion[] {
  const snippets = [...text.matchAll(/^<<< *(\S+?)(?:#([\w-]+))?(?:\{[^}]*\})?(?: +\[.*\])? *$/gm)];
  const includes = [...text.matchAll(/<!-- *@include: *(\S+?)(?:#([\w-]+))?(?:\{[^}]*\})? *-->/g)];
  return [...snippets, ...includes].map(([, path = "", region]) => ({
    page,
    file: relative(repository, resolvePath(page, path)),
    region: region ?? null,
  }));
}

/** One sentence about a missing file or region, or null. VitePress itself shows the whole file, without an error, for a missing region. */
export function inclusionProblem({ page, file, region }: Inclusion): string | null {
  const path = join(repository, file);
  if (!existsSync(path)) return `${page} shows ${file}, which does not exist.`;
  if (region === null) return null;
  const text = readFileSync(path, "utf8");
  const countOf = (mark: string) => text.split(new RegExp(`${mark}(?![\\w-])`)).length - 1;
  const [starts, ends] = [countOf(`#region ${region}`), countOf(`#endregion ${region}`)];
  if (starts === 1 && ends === 1) return null;
  return `${page} shows the region ${region} of ${file}, which has ${starts} marks for its start and ${ends} for its end.`;
}

/** Replaces every Markdown inclusion of the page by the included text. */
export function withIncludes(page: string, text: string): string {
  return text.replace(/<!-- *@include: *(\S+?)(?:#([\w-]+))? *-->/g, (_, path: string, region: string | undefined) => {
    const included = readFileSync(resolvePath(page, path), "utf8");
    return region === undefined ? included : regionOf(included, region);
  });
}

/** The lines between the marks of a region. */
export function regionOf(text: string, region: string): string {
  const [, part = ""] =
    new RegExp(`#region ${region}\\b.*\\n([\\s\\S]*?)\\n.*#endregion ${region}\\b`).exec(text) ?? [];
  return part;
}

function resolvePath(page: string, path: string): string {
  return path.startsWith("@/") ? join(siteFolder, path.slice(2)) : resolve(siteFolder, dirname(page), path);
}
