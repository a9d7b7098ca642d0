// npm run build [-- package …]: the dist of every package, or of these. With --if-changed, as tests ask: only of those that are not built
// of the present sources already. What is published is built without it.
// npm run build -- template: the template of create-tillkit, after a change of examples/new-adapter.
// npm run build -- wordpress, or prestashop: the zip that an owner uploads to the shop.
//
// tsup makes the JavaScript, package by package; one compiler makes the declarations of all packages meanwhile.
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { digestOfSources, notBuilt, OUTPUT_FOLDERS, rememberBuilt } from "./built.ts";
import { type Package, publicPackages, repository } from "./packages.ts";
import { runProgram } from "./run-program.ts";

type Step = { readonly title: string; readonly run: (signal: AbortSignal) => Promise<unknown> };

const onlyIfChanged = process.argv.includes("--if-changed");
const names = process.argv.slice(2).filter((argument) => argument !== "--if-changed");
const [product] = names;
try {
  if (product === "template") await import("../packages/create-tillkit/test/make-template.ts");
  else if (product === "wordpress") await import("../packages/woocommerce/wordpress-plugin/build-zip.ts");
  else if (product === "prestashop") await import("../packages/prestashop/module/build-zip.ts");
  else await buildPackages(publicPackages(names));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function buildPackages(wanted: readonly Package[]): Promise<void> {
  const startedAt = performance.now();
  const sources = digestOfSources();
  const packages = onlyIfChanged ? notBuilt(wanted, sources) : wanted;
  const compile = packages.length === 0 ? [] : [declarationsOf(packages), ...packages.map(javascriptOf)];
  await Promise.all(packages.map(removeOutput));
  await runSteps([...compile, docsOf(wanted)]);
  rememberBuilt(packages, sources);
  const unchanged = packages.length < wanted.length ? `, ${wanted.length - packages.length} were unchanged` : "";
  process.stderr.write(`Built ${packages.length} packages in ${secondsSince(startedAt)} s${unchanged}.\n`);
}

async function removeOutput({ folder }: Package): Promise<void> {
  await Promise.all(OUTPUT_FOLDERS.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

function declarationsOf(packages: readonly Package[]): Step {
  const program = join(repository, "packaging", "declarations.ts");
  const args = [...process.execArgv, program, ...packages.map(({ name }) => name)];
  return { title: "declarations", run: (signal) => runProgram(process.execPath, args, repository, { signal }) };
}

function javascriptOf({ name, folder }: Package): Step {
  const tsup = join(repository, "node_modules", "tsup", "dist", "cli-default.js");
  const config = name === "medusa" ? "tsup.config.ts" : join("..", "..", "tsup.config.ts");
  return {
    title: name,
    run: (signal) => runProgram(process.execPath, [tsup, "--config", config, "--silent"], folder, { signal }),
  };
}

/** Documents are made last: their pages name the rules of the contract, which have to load. */
function docsOf(packages: readonly Package[]): Step {
  const run = async (): Promise<void> => {
    const { packagesWithDocs, writePackageDocs } = await import("./package-docs.ts");
    const names = packages.map(({ name }) => name).filter((name) => packagesWithDocs.includes(name));
    await Promise.all(names.map(writePackageDocs));
  };
  return { title: "docs", run };
}

/** Runs as many steps at the same time as there are processors, and says when each is done. The first error ends the others. */
async function runSteps(steps: readonly Step[]): Promise<void> {
  const waiting = [...steps];
  const ending = new AbortController();
  let done = 0;
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const from = performance.now();
      await step.run(ending.signal);
      done += 1;
      process.stderr.write(`  ${done}/${steps.length} ${step.title}, ${secondsSince(from)} s\n`);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  } catch (error) {
    ending.abort();
    throw error;
  }
}

function secondsSince(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(1);
}
