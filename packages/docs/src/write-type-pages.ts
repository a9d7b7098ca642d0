// Writes the pages about the types of every public entry into site/api. `build.ts` and `serve.ts` run this program as a separate process,
// which limits the memory of the type checker and frees it at the end.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Application, type ProjectReflection } from "typedoc";
import { repository, siteFolder } from "./folders.ts";
import { typesPageOf } from "./generated-pages.ts";
import { type Entry, readPackages } from "./packages.ts";

const cache = join(repository, "packages/docs/node_modules/.cache/types");

/** The public entries by the path of their page in site/api, without `.md`. */
const pages: ReadonlyMap<string, Entry> = new Map(
  readPackages().flatMap(({ folder, entries }) =>
    entries.flatMap((entry): [string, Entry][] => {
      const page = typesPageOf(folder, entry.specifier);
      return page === null ? [] : [[`${folder}/${page}`, entry]];
    }),
  ),
);
await rm(cache, { recursive: true, force: true });
const application = await openTypeDoc([...pages.values()].map(({ source }) => source));
const project = await application.convert();
if (project === undefined) throw new Error("typedoc could not read the packages: its messages are above.");
nameModules(project);
await application.outputs.writeOutput({ name: "markdown", path: join(cache, "pages") }, project);
for (const [page, { specifier }] of pages) {
  const text = await readFile(join(cache, "pages", `${page}.md`), "utf8");
  const target = join(siteFolder, "api", `${page}.md`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `---\noutline: [2, 3]\n---\n\n# Types of ${specifier}\n\n${text}`);
}

async function openTypeDoc(entryPoints: readonly string[]): Promise<Application> {
  await mkdir(cache, { recursive: true });
  const tsconfig = join(cache, "tsconfig.json");
  const options = { incremental: false, tsBuildInfoFile: null };
  await writeFile(
    tsconfig,
    JSON.stringify({
      extends: join(repository, "tsconfig.json"),
      compilerOptions: options,
      include: [],
      files: entryPoints,
    }),
  );
  return await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: [...entryPoints],
    tsconfig,
    basePath: repository,
    readme: "none",
    logLevel: "Error",
    disableGit: true,
    disableSources: true,
    // `npm run types` checks the sources faster.
    skipErrorChecking: true,
    excludeExternals: true,
    excludeInternal: true,
    validation: false,
    // The options of the Markdown plugin are spread, because typedoc's own type does not know them.
    ...{
      outputFileStrategy: "modules",
      hidePageHeader: true,
      hidePageTitle: true,
      hideBreadcrumbs: true,
      useHTMLAnchors: true,
      useCodeBlocks: false,
      parametersFormat: "table",
      typeDeclarationFormat: "table",
      propertiesFormat: "table",
      interfacePropertiesFormat: "table",
      typeAliasPropertiesFormat: "table",
      expandObjects: true,
    },
  });
}

/** Names every module after the path of its page, because typedoc writes a module into the file with the module's name. */
function nameModules(project: ProjectReflection): void {
  const nameOf = new Map(
    [...pages].map(([page, { source }]) => [relative(repository, source).replace(/(?:\/index)?\.ts$/, ""), page]),
  );
  for (const module of project.children ?? []) {
    const page = nameOf.get(module.name);
    if (page === undefined) throw new Error(`typedoc found the module ${module.name}, which is no entry of a package.`);
    module.name = page;
  }
}
