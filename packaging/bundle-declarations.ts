import { join } from "node:path";
import { type OutputOptions, type RollupBuild, rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/** Declaration files of one folder that are published as one file for each entry. */
export type DeclarationBundle = {
  /** `index` → the path of the emitted `index.d.ts`. */
  readonly entries: ReadonlyMap<string, string>;
  readonly outputFolder: string;
  /** The endings of the files to write: `.d.ts` beside ESM, `.d.cts` beside CommonJS. */
  readonly endings: readonly (".d.ts" | ".d.cts")[];
};

/** Joins the emitted declarations of each entry. Parts that entries share are written once; imports of packages stay imports. */
export async function bundleDeclarations({ entries, outputFolder, endings }: DeclarationBundle): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(entries),
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    plugins: [dts({ compilerOptions: { allowImportingTsExtensions: true, noEmit: true, types: [] } })],
    onLog(_level, { message }) {
      // Types that a caller never has to name stay in the shared part, as in every bundle of declarations.
      if (!message.includes("private shared type exports")) throw new Error(message);
    },
  });
  for (const ending of endings) await write(bundle, outputFolder, ending);
  await bundle.close();
}

async function write(bundle: RollupBuild, folder: string, ending: string): Promise<void> {
  const options: OutputOptions = {
    dir: folder,
    format: "es",
    entryFileNames: `[name]${ending}`,
    chunkFileNames: (chunk) => `${chunk.name.replace(/\.d$/, "")}-[hash]${ending}`,
  };
  await bundle.write(options);
}

/** The emitted file of a source: `/repository/packages/core/src/index.ts` → `/folder/core/src/index.d.ts`. */
export function emittedFile(folder: string, packageName: string, entry: string): string {
  return join(folder, packageName, "src", `${entry}.d.ts`);
}
