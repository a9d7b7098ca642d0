import { readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

type Manifest = {
  readonly exports?: Readonly<Record<string, { readonly "@tillkit/source": string }>>;
  readonly bin?: Readonly<Record<string, string>>;
};

// One configuration for all packages: tsup runs in the folder of a package and builds what its package.json promises.
const manifest: Manifest = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.values(manifest.exports ?? {}).map((target) => target["@tillkit/source"]);
const programs = Object.values(manifest.bin ?? {}).map((file) =>
  file.replace("./dist/", "src/").replace(/\.js$/, ".ts"),
);

const shared: Options = {
  target: "node20",
  platform: "node",
  removeNodeProtocol: false, // "node:sqlite" has no other name
  clean: true,
};

export default defineConfig(
  entries.length > 0
    ? { ...shared, entry: entries, format: ["esm", "cjs"], dts: true }
    : { ...shared, entry: programs, format: ["esm"] },
);
