// node .setup/run.mjs <workspace filter | all> <program> [arguments]
//
// What every npm script calls: installs what the program needs when it is not there yet, then runs the program in its
// place. A program is a TypeScript file (run from source) or the name of a tool in node_modules/.bin.
// Plain Node, no dependency: this has to work on a fresh clone.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { installOnce, root } from "./install.mjs";
import { runProgram } from "./program.mjs";

const [filter, program, ...rest] = process.argv.slice(2);
if (filter === undefined || program === undefined) {
  console.error("Usage: node .setup/run.mjs <workspace filter | all> <program> [arguments]");
  process.exit(2);
}

if (await installOnce(filter)) {
  await runProgram(...commandFor(program, rest));
}

function commandFor(name, programArguments) {
  if (!name.endsWith(".ts")) return [join(root, "node_modules", ".bin", name), programArguments];
  const file = resolve(root, name);
  const loader = pathToFileURL(createRequire(file).resolve("tsx")).href;
  return [process.execPath, ["--conditions=@tillkit/source", "--import", loader, file, ...programArguments]];
}
