import { readdir, rm, writeFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";

/** Medusa finds a plugin's files by their places under this folder, and loads each with `require`. */
const server = ".medusa/server";

await rm(server, { recursive: true, force: true });

const isForMedusa = (file: string) =>
  /^(api|modules|providers|adapter|attention|options|provider|returns|shop|till|webhooks|limits)/.test(file);
const sources = (await readdir("src", { recursive: true })).filter((file) => file.endsWith(".ts"));

/** File by file, as `medusa plugin:build` does: relative imports stay what they are, only `.ts` becomes `.js`. */
const keepFiles: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "keep-files",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/\.ts$/, ".js"), external: true },
    );
  },
};

const shared: Options = { target: "node20", platform: "node", removeNodeProtocol: false };

export default defineConfig([
  {
    ...shared,
    entry: ["src/index.ts", "src/storefront.ts"],
    format: ["esm", "cjs"],
    dts: true,
    clean: true,
  },
  {
    ...shared,
    // By name, not by pattern: `[endpointId]` in a route's folder is a name.
    entry: Object.fromEntries(sources.filter(isForMedusa).map((file) => [file.replace(/\.ts$/, ""), `src/${file}`])),
    outDir: `${server}/src`,
    format: ["cjs"],
    dts: { entry: { "providers/tillkit/index": "src/providers/tillkit/index.ts" } },
    outExtension: () => ({ js: ".js" }),
    esbuildPlugins: [keepFiles],
    splitting: false,
    async onSuccess() {
      await writeFile(`${server}/package.json`, '{ "type": "commonjs" }\n');
    },
  },
  {
    // Medusa's admin build takes it from here; React and Medusa's own parts are the admin's.
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
