import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../src/folders.ts";

/** The options of each command of `tillkit`: `webhooks create` → `--url`, `--event`, … */
export type TillkitCommands = ReadonlyMap<string, ReadonlySet<string>>;

/** Programs that do not belong to this repository. Their arguments are not checked. */
const otherPrograms = new Set(
  "cd set . cp mv mkdir chmod chown export cat echo openssl curl docker systemctl journalctl git psql pg_dump pg_restore createdb sqlite3 install useradd nginx shopify tar rm kill yarn eval sha256sum pkill jq xargs".split(
    " ",
  ),
);

/** One command without the assignments before the program: `["npm", "run", "docs"]`. */
type Words = readonly string[];

/** The commands of a block of shell code, one after the other. */
export function commandsIn(code: string): readonly Words[] {
  return code
    .replaceAll(/\\\n\s*/g, " ")
    .replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "quoted")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, ""))
    .flatMap((line) => line.split(/&&|\|\||;|\||[()]/))
    .map((command) => command.split(/\s+/).filter((word) => word !== "" && word !== "$"))
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter(([program = ""]) => program !== "" && !/^[A-Z_]+=/.test(program));
}

/** One sentence for a command that this repository does not have, or null. */
export function commandProblem(words: Words, tillkit: TillkitCommands): string | null {
  const [program = "", ...rest] = words;
  if (otherPrograms.has(program)) return null;
  if (program === "tillkit") return tillkitProblem(rest, tillkit);
  const restWithout = (flag: string) => rest.filter((word) => word !== flag);
  if (program === "npx") return npxProblem(restWithout("--yes"), tillkit);
  if (program === "npm") return npmProblem(restWithout("--silent"), tillkit);
  if (program === "pnpm") return rest[0] === "install" ? null : `pnpm ${rest.join(" ")} is unknown.`;
  if (program === "node") return nodeProblem(rest.find((word) => !word.startsWith("--")) ?? "");
  return `${program} is neither a program of this repository nor another known program.`;
}

function npxProblem([program = "", ...rest]: Words, tillkit: TillkitCommands): string | null {
  if (program === "tillkit" || program === "@tillkit/cli") return tillkitProblem(rest, tillkit);
  return ["medusa", "vitest", "medusa@latest", "tsx"].includes(program) ? null : `npx ${program} is unknown.`;
}

function npmProblem([command = "", ...rest]: Words, tillkit: TillkitCommands): string | null {
  if (["install", "test", "start", "ci", "pkg"].includes(command)) return null;
  if (command === "create") return rest[0] === "tillkit" ? null : `npm create ${rest[0]} is unknown.`;
  const [script = "", ...args] = rest;
  // A script that a command before it adds to the reader's own program.
  if (script.endsWith(":checkout")) return null;
  const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  if (command !== "run" || !Object.hasOwn(scripts, script)) {
    return `npm ${command} ${script} is not a script of this repository.`;
  }
  if (script !== "tillkit") return null;
  const tillkitArgs = args.filter((word) => word !== "--");
  return tillkitProblem(tillkitArgs, tillkit);
}

/** Checks the file of `node file`: a file of the repository, a built program of a package, or the program that `pack:all` writes. */
function nodeProblem(path: string): string | null {
  const file = path.replace(/^(?:\.\.\/|\.\/)*(?:tillkit|clone)\//, "");
  if (file === "release/add.mjs")
    return existsSync(join(repository, "packaging/add-to-project.mjs")) ? null : "packaging has no add.mjs.";
  const [, folder, program] = /(?:packages|@tillkit)\/([a-z-]+)\/(dist\/.+)$/.exec(file) ?? [];
  if (folder === undefined) return existsSync(join(repository, file)) ? null : `there is no file ${file}.`;
  const { bin = {} } = JSON.parse(readFileSync(join(repository, "packages", folder, "package.json"), "utf8"));
  return Object.values(bin).includes(`./${program}`) ? null : `@tillkit/${folder} has no program ${program}.`;
}

function tillkitProblem(args: Words, commands: TillkitCommands): string | null {
  const [first = "", second = ""] = args;
  if (first === "--help" || first === "--version") return null;
  const name = [`${first} ${second}`, first].find((candidate) => commands.has(candidate));
  if (name === undefined) return `tillkit ${first} ${second} is no command.`;
  const options = commands.get(name);
  const unknown = args
    .map((word) => word.split("=")[0] ?? "")
    .find((word) => word.startsWith("--") && !options?.has(word));
  return unknown === undefined ? null : `tillkit ${name} has no option ${unknown}.`;
}
