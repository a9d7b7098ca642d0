import { readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

type Manifest = {
  readonly exports?: Readonly<Record<string, { readonly "@tillkit/source": string }>>;
  readonly bin?: Readonly<Record<string, string>>;
};

// One configuration for all packages: tsup runs in the folder of a package and builds what its package.json promises.
// Declarations are no part of it: packaging/declarations.ts makes those of all packages together.
const manifest: Manifest = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.values(manifest.exports ?? {}).map((target) => target["@tillkit/source"]);
const programs = Object.values(manifest.bin ?? {}).map((file) =>
  file.replace("./dist/", "src/").replace(/\.js$/, ".ts"),
);

const shared: Options = {
  target: "node20",
  platform: "node",
  removeNodeProtocol: false, // "node:sqlite" has no other name
};

const library: Options = { ...shared, entry: entries, format: ["esm", "cjs"] };

const program: Options = {
  ...shared,
  entry: programs,
  format: ["esm"],
  external: ["nodemailer"], // alerts of the server send mail: no command does
  // A program contains the packages of its devDependencies, from source, and loads each part when a command needs it.
  esbuildOptions(options) {
    options.conditions = ["@tillkit/source"];
  },
};

export default defineConfig([...(entries.length > 0 ? [library] : []), ...(programs.length > 0 ? [program] : [])]);
