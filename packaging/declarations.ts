// packaging/declarations.ts [package …]: writes the declarations of these packages, or of all, into their dist.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleDeclarations, type DeclarationBundle, emittedFile } from "./bundle-declarations.ts";
import { emitDeclarations } from "./emit-declarations.ts";
import { entriesOf, type Package, publicPackages } from "./packages.ts";

/** Medusa loads its payment provider from a file that is no entry of the package. */
const MEDUSA_PROVIDER = "providers/tillkit/index";

const packages = publicPackages(process.argv.slice(2));
const folder = await mkdtemp(join(tmpdir(), "tillkit-declarations-"));
try {
  emitDeclarations(packages.flatMap(sourcesOf), folder);
  for (const one of packages) for (const bundle of bundlesOf(one)) await bundleDeclarations(bundle);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function sourcesOf(one: Package): readonly string[] {
  const provider = one.name === "medusa" ? [join(one.folder, "src", `${MEDUSA_PROVIDER}.ts`)] : [];
  return [...entriesOf(one).values(), ...provider];
}

function bundlesOf(one: Package): readonly DeclarationBundle[] {
  const names = [...entriesOf(one).keys()];
  if (names.length === 0) return [];
  const entry = (name: string): [string, string] => [name, emittedFile(folder, one.name, name)];
  const library: DeclarationBundle = {
    entries: new Map(names.map(entry)),
    outputFolder: join(one.folder, "dist"),
    endings: [".d.ts", ".d.cts"],
  };
  if (one.name !== "medusa") return [library];
  const outputFolder = join(one.folder, ".medusa", "server", "src");
  return [library, { entries: new Map([entry(MEDUSA_PROVIDER)]), outputFolder, endings: [".d.cts"] }];
}
