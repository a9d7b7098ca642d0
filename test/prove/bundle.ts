import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { makeFolder } from "./temporary-folder.ts";

/** A program of ours in one file. The bundle loads in 0.1 s instead of 1 s and runs about 1.5 times as fast as the sources. */
export type Program = { readonly file: string; remove(): Promise<void> };

/** @param entry the URL of the program's TypeScript file, which must read no other files at run time */
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
    esbuildPlugins: [unbundledSqlite],
    esbuildOptions(options) {
      options.conditions = ["@tillkit/source"];
    },
  });
  return { file: join(folder.path, "program.cjs"), remove: folder.remove };
}

type Plugin = NonNullable<NonNullable<Parameters<typeof build>[0]["esbuildPlugins"]>[number]>;

/** The SQLite driver loads a native library from its own folder, so it is not bundled. */
const unbundledSqlite: Plugin = {
  name: "unbundled-sqlite",
  setup(builder) {
    const sql = createRequire(new URL("../../packages/sql/package.json", import.meta.url));
    builder.onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ path }) => ({
      path: sql.resolve(path),
      external: true,
    }));
  },
};
