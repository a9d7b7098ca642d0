import { readdir, writeFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { defineConfig, type Options } from "tsup";

/** Medusa finds a plugin's files by their paths under this folder and loads each with `require`. */
const server = ".medusa/server";

/** The admin and the library entries are bundled separately. */
const isForMedusa = (file: string) => !/^(admin\/|storefront\/|storefront\.ts$|index\.ts$)/.test(file);
const sources = (await readdir("src", { recursive: true })).filter((file) => file.endsWith(".ts"));

/** Compiles file by file, as `medusa plugin:build` does: relative imports stay, only `.ts` becomes `.js`. */
const keepFiles: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "keep-files",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
      if (kind === "entry-point") return undefined;
      const file = relative("src", resolve(resolveDir, path));
      if (!isForMedusa(file))
        return { errors: [{ text: `${file} is not a file of Medusa's server, so it cannot be loaded there.` }] };
      return { path: path.replace(/\.ts$/, ".js"), external: true };
    });
  },
};

const shared: Options = { target: "node20", platform: "node", removeNodeProtocol: false };

export default defineConfig([
  {
    ...shared,
    entry: ["src/index.ts", "src/storefront.ts"],
    format: ["esm", "cjs"],
  },
  {
    ...shared,
    // Names, not patterns: the `[endpointId]` of a route's folder would be read as a pattern.
    entry: Object.fromEntries(sources.filter(isForMedusa).map((file) => [file.replace(/\.ts$/, ""), `src/${file}`])),
    outDir: `${server}/src`,
    format: ["cjs"],
    outExtension: () => ({ js: ".js" }),
    esbuildPlugins: [keepFiles],
    splitting: false,
    async onSuccess() {
      await writeFile(`${server}/package.json`, '{ "type": "commonjs" }\n');
    },
  },
  {
    // Medusa's admin build bundles this further and provides React and Medusa's own packages.
    entry: { "admin/index": "src/admin/index.tsx" },
    outDir: `${server}/src`,
    format: ["esm", "cjs"],
    platform: "browser",
    target: "es2022",
    outExtension: ({ format }) => ({ js: format === "esm" ? ".mjs" : ".js" }),
    esbuildOptions(options) {
      options.jsx = "automatic";
    },
    async onSuccess() {
      const types = "declare const plugin: object;\nexport default plugin;\n";
      for (const kind of ["d.ts", "d.mts"]) await writeFile(`${server}/src/admin/index.${kind}`, types);
    },
  },
]);
