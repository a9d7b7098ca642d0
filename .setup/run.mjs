// node .setup/run.mjs <programs | everything> <program> [arguments]
//
// What every npm script calls: installs what is needed when it is not there yet (`programs`: only what the example shop
// and the `tillkit` command need), then runs the program with its arguments, signals and exit code. A program is a
// TypeScript file, run from source, or the name of a tool in node_modules/.bin.
// Plain Node, no dependency: this has to work on a fresh clone.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { installOnce, root, selections } from "./install.mjs";
import { runProgram } from "./program.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  console.error(`Tillkit needs Node 20.19, 22.12 or newer: this is Node ${process.versions.node}.`);
  process.exit(1);
}

const [selection, program, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(selections, selection ?? "") || program === undefined) {
  console.error(`Usage: node .setup/run.mjs <${Object.keys(selections).join(" | ")}> <program> [arguments]`);
  process.exit(2);
}

if (await installOnce(selection)) {
  await runProgram(...commandFor(program, rest));
}

function commandFor(name, programArguments) {
  if (!name.endsWith(".ts")) return [join(root, "node_modules", ".bin", name), programArguments];
  const file = resolve(root, name);
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return [process.execPath, ["--conditions=@tillkit/source", "--import", loader, file, ...programArguments]];
}
