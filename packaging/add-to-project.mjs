// node add.mjs [--dev] [--pnpm] <package> …: makes the project in the current folder install these packages, and what they need
// of ours, from the tarballs beside this file. In a workspace, the folder of one of its projects is the current folder. Plain Node
// without dependencies: it runs where nothing is installed yet.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const release = dirname(fileURLToPath(import.meta.url));
const { dependencies: allTarballs, optionalPeers = [] } = readJson(join(release, "package.json"));
const tarballs = Object.entries(allTarballs);
const root = findRoot();
const files = filesFrom(process.cwd());
const filesOfRoot = filesFrom(root);

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
  existsSync(join(root, "pnpm-lock.yaml")) ||
  existsSync(join(root, "pnpm-workspace.yaml")) ||
  String(project.packageManager).startsWith("pnpm@");
writeManifests();
if (usesPnpm) writePnpmSettings();
console.log(
  `Added ${names.join(", ")} from ${release}. Next: ${usesPnpm ? "pnpm install" : "npm install (or yarn install; for pnpm, add --pnpm)"}.`,
);

// Package managers read overrides only from the root of a workspace. A project with its own lock file is no part of the workspace
// around it.
function findRoot() {
  const own = process.cwd();
  if (existsSync("package-lock.json") || existsSync("yarn.lock")) return own;
  for (let folder = own; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml")) || hasWorkspace(folder, own)) return folder;
    if (folder === dirname(folder)) return own;
  }
}

// The field `workspaces` of npm and yarn: paths with `*` for one folder.
function hasWorkspace(folder, member) {
  const manifest = join(folder, "package.json");
  const { workspaces = [] } = existsSync(manifest) ? readJson(manifest) : {};
  const path = relative(folder, member).split(sep).join("/");
  return (workspaces.packages ?? workspaces).some((pattern) => {
    const parts = pattern.replace(/^\.\/|\/$/g, "").split("*");
    const escaped = parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${escaped.join("[^/]+")}$`).test(path);
  });
}

function filesFrom(folder) {
  return Object.fromEntries(
    tarballs.map(([name, file]) => [name, `file:${pathFrom(folder, file.replace("file:./", ""))}`]),
  );
}

function findMistake() {
  const unknownOption = options.find((option) => !["--dev", "--pnpm"].includes(option));
  if (unknownOption !== undefined) return `Unknown option ${unknownOption}.`;
  if (names.length === 0) return "Name the packages to add.";
  const unknown = names.find((name) => !Object.hasOwn(files, name));
  return unknown === undefined ? null : `There is no package ${unknown} in ${release}.`;
}

// The packages ask for each other by version. `overrides` tells npm to take the files instead, `resolutions` tells yarn.
function writeManifests() {
  const group = options.includes("--dev") ? "devDependencies" : "dependencies";
  const chosen = Object.fromEntries(names.map((name) => [name, files[name]]));
  const changed = { ...project, [group]: { ...project[group], ...chosen } };
  if (root === process.cwd()) return writeJson("package.json", withOverrides(changed, files));
  writeJson("package.json", changed);
  const rootManifest = join(root, "package.json");
  // npm takes a relative path in the root's overrides as relative to the project that asks for the package.
  if (!usesPnpm) return writeJson(rootManifest, withOverrides(readJson(rootManifest), absoluteFiles()));
  // pnpm 10 ignores the overrides of its own file when the manifest has some.
  const { pnpm, ...rest } = existsSync(rootManifest) ? readJson(rootManifest) : {};
  if (pnpm?.overrides === undefined) return;
  writeJson(rootManifest, { ...rest, pnpm: { ...pnpm, overrides: { ...pnpm.overrides, ...filesOfRoot } } });
}

// npm reports an override of an optional peer that nobody installs as a tarball that "seems to be corrupted".
function withOverrides(manifest, tarballOf) {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
  const isUnwanted = (name) => optionalPeers.includes(name) && !names.includes(name) && !Object.hasOwn(wanted, name);
  const overrides = Object.fromEntries(Object.entries(tarballOf).filter(([name]) => !isUnwanted(name)));
  return {
    ...manifest,
    overrides: { ...manifest.overrides, ...overrides },
    resolutions: { ...manifest.resolutions, ...overrides },
  };
}

function absoluteFiles() {
  const folder = release.split(sep).join("/");
  return Object.fromEntries(tarballs.map(([name, file]) => [name, file.replace("file:.", `file:${folder}`)]));
}

// Since version 11, pnpm reads its settings only from this file. The package of SQLite is compiled already, so its build script is
// declined: pnpm fails until every build script is allowed or declined.
function writePnpmSettings() {
  const file = join(root, "pnpm-workspace.yaml");
  const settings = existsSync(file) ? readFileSync(file, "utf8") : "";
  const written = [...Object.keys(filesOfRoot), "@photostructure/sqlite"].map((name) => `  "${name}": `);
  const lines = settings.split("\n").filter((line) => !written.some((start) => line.startsWith(start)));
  const others = lines.join("\n");
  const overrides = Object.entries(filesOfRoot).map(([name, tarball]) => `  "${name}": ${tarball}\n`);
  const overridden = addTo(others, "overrides", overrides.join(""));
  writeFileSync(file, addTo(overridden, "allowBuilds", '  "@photostructure/sqlite": false\n'));
}

function addTo(settings, key, lines) {
  const heading = `${key}:\n`;
  if (`\n${settings}`.includes(`\n${heading}`)) return settings.replace(heading, `${heading}${lines}`);
  return `${settings}${settings === "" || settings.endsWith("\n") ? "" : "\n"}${heading}${lines}`;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function pathFrom(folder, file) {
  const path = [relative(folder, release).split(sep).join("/"), file].filter((part) => part !== "").join("/");
  return path.startsWith(".") || path.startsWith("/") ? path : `./${path}`;
}
