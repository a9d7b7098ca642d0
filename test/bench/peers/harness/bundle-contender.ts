import { isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const cache = fileURLToPath(new URL("../node_modules/.cache/", import.meta.url));

/**
 * Builds the program of a contender into one file, as a package is built: our sources in it, libraries outside. It starts at once, and no
 * loader runs beside it.
 *
 * @returns the address of the file, for `runContender`
 */
export async function bundleContender(program: URL): Promise<URL> {
  const source = fileURLToPath(program);
  const outfile = join(cache, `${basename(source, ".ts")}.mjs`);
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@tillkit/source"],
    plugins: [librariesOutside],
    logLevel: "warning",
  });
  return pathToFileURL(outfile);
}

/** Imports libraries by their path, because the built file stands where another package would be found, or none. */
const librariesOutside: Plugin = {
  name: "libraries outside",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind === "entry-point" || path.startsWith("@tillkit/") || pluginData === librariesOutside) return undefined;
      if (isBuiltin(path)) return { path, external: true };
      const found = await resolve(path, { kind, resolveDir, pluginData: librariesOutside });
      return { path: found.path, external: true, errors: found.errors };
    });
  },
};
