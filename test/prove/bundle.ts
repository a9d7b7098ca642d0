import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { makeFolder } from "./folder.ts";

/** A program of ours as one file: it loads in a tenth of a second, from sources in a whole one, and computes half as fast again. */
export type Program = { readonly file: string; remove(): Promise<void> };

/** @param entry the URL of its TypeScript file, which reads no files beside itself */
export async function bundleProgram(entry: URL): Promise<Program> {
  const folder = await makeFolder("program");
  await build({
    config: false,
    silent: true,
    entry: { program: fileURLToPath(entry) },
    outDir: folder.path,
    format: "cjs",
    platform: "node",
    target: "node20",
    removeNodeProtocol: false,
    noExternal: [/./],
    external: ["pg-native"],
    esbuildPlugins: [sqliteWhereItIs],
    esbuildOptions(options) {
      options.conditions = ["@tillkit/source"];
    },
  });
  return { file: join(folder.path, "program.cjs"), remove: folder.remove };
}

type Plugin = NonNullable<NonNullable<Parameters<typeof build>[0]["esbuildPlugins"]>[number]>;

/** It loads a library of its own that lies beside it, so it is not bundled. */
const sqliteWhereItIs: Plugin = {
  name: "sqlite-where-it-is",
  setup(builder) {
    const sql = createRequire(new URL("../../packages/sql/package.json", import.meta.url));
    builder.onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ path }) => ({
      path: sql.resolve(path),
      external: true,
    }));
  },
};
