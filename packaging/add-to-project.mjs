// node add.mjs [--dev] [--pnpm] <package> …: makes the project in the current folder install these packages, and what they need
// of ours, from the tarballs beside this file. Plain Node without dependencies: it runs where nothing is installed yet.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const release = dirname(fileURLToPath(import.meta.url));
const tarballs = Object.entries(readJson(join(release, "package.json")).dependencies);
const files = Object.fromEntries(
  tarballs.map(([name, file]) => [name, `file:${fromProject(file.replace("file:./", ""))}`]),
);

const options = process.argv.slice(2).filter((word) => word.startsWith("-"));
const names = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const mistake = findMistake();
if (mistake !== null) {
  console.error(
    `${mistake}\nUsage: node add.mjs [--dev] [--pnpm] <package> …\nPackages: ${Object.keys(files).join(", ")}`,
  );
  process.exit(2);
}

const project = existsSync("package.json") ? readJson("package.json") : { private: true, type: "module" };
const usesPnpm =
  options.includes("--pnpm") ||
  existsSync("pnpm-lock.yaml") ||
  existsSync("pnpm-workspace.yaml") ||
  String(project.packageManager).startsWith("pnpm@");
writeManifest();
if (usesPnpm) writePnpmSettings();
console.log(
  `Added ${names.join(", ")} from ${release}. Next: ${usesPnpm ? "pnpm install" : "npm install (or yarn install; for pnpm, add --pnpm)"}.`,
);

function findMistake() {
  const unknownOption = options.find((option) => !["--dev", "--pnpm"].includes(option));
  if (unknownOption !== undefined) return `Unknown option ${unknownOption}.`;
  if (names.length === 0) return "Name the packages to add.";
  const unknown = names.find((name) => !Object.hasOwn(files, name));
  return unknown === undefined ? null : `There is no package ${unknown} in ${release}.`;
}

// The packages ask for each other by version. `overrides` tells npm to take the files instead, `resolutions` tells yarn.
function writeManifest() {
  const group = options.includes("--dev") ? "devDependencies" : "dependencies";
  const chosen = Object.fromEntries(names.map((name) => [name, files[name]]));
  const changed = {
    ...project,
    [group]: { ...project[group], ...chosen },
    overrides: { ...project.overrides, ...files },
    resolutions: { ...project.resolutions, ...files },
  };
  writeFileSync("package.json", `${JSON.stringify(changed, null, 2)}\n`);
}

// Since version 11, pnpm reads its settings only from this file. The package of SQLite is compiled already, so its build script is
// declined: pnpm fails until every build script is allowed or declined.
function writePnpmSettings() {
  const settings = existsSync("pnpm-workspace.yaml") ? readFileSync("pnpm-workspace.yaml", "utf8") : "";
  const written = [...Object.keys(files), "@photostructure/sqlite"].map((name) => `  "${name}": `);
  const lines = settings.split("\n").filter((line) => !written.some((start) => line.startsWith(start)));
  const others = lines.join("\n");
  const overrides = Object.entries(files).map(([name, file]) => `  "${name}": ${file}\n`);
  const withOverrides = addTo(others, "overrides", overrides.join(""));
  writeFileSync("pnpm-workspace.yaml", addTo(withOverrides, "allowBuilds", '  "@photostructure/sqlite": false\n'));
}

function addTo(settings, key, lines) {
  const heading = `${key}:\n`;
  if (`\n${settings}`.includes(`\n${heading}`)) return settings.replace(heading, `${heading}${lines}`);
  return `${settings}${settings === "" || settings.endsWith("\n") ? "" : "\n"}${heading}${lines}`;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function fromProject(file) {
  const path = [relative(process.cwd(), release).split(sep).join("/"), file].filter((part) => part !== "").join("/");
  return path.startsWith(".") || path.startsWith("/") ? path : `./${path}`;
}
