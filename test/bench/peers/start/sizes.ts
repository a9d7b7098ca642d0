import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** The folder of an installed peer. */
export function peerFolder(name: string): string {
  return fileURLToPath(new URL(`../node_modules/${name}/`, import.meta.url));
}

/** The file that `import` of the package loads. */
export function importableFile(name: string): string {
  return fileURLToPath(import.meta.resolve(name, new URL("../package.json", import.meta.url).href));
}

/** Kilobytes of a bundle for Node of everything that the file imports, minified and compressed. */
export async function bundledSize(file: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(file)}`, resolveDir: dirname(file) },
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0) / 1_000;
}

/** Kilobytes of JavaScript in the package at that path and in everything that it needs, each once. */
export function installedSize(path: string): number {
  const folders = new Set<string>();
  collect(realpathSync(path), folders);
  return [...folders].reduce((sum, folder) => sum + bytesOf(folder), 0) / 1_000;
}

function collect(folder: string, folders: Set<string>): void {
  if (folders.has(folder)) return;
  folders.add(folder);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const found = findPackage(folder, name);
    if (found !== null) collect(found, folders);
  }
}

/** As Node finds it: in `node_modules` of each folder above. */
function findPackage(from: string, name: string): string | null {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
  }
  return null;
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + bytesOf(path);
      return /\.[cm]?js$/.test(entry.name) ? sum + statSync(path).size : sum;
    }, 0);
}
