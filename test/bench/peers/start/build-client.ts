import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

export type BuiltClient = { readonly entry: string; readonly folder: string; remove(): void };

/** Builds the JavaScript of `@tillkit/client` as it is published, outside the repository, where somebody may use the last build. */
export function buildClient(): BuiltClient {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-client-"));
  const source = join(repository, "packages", "client");
  for (const name of ["package.json", "src", "README.md", "API.md"])
    cpSync(join(source, name), join(folder, name), { recursive: true });
  const tsup = join(repository, "node_modules", "tsup", "dist", "cli-default.js");
  const config = join(repository, "tsup.config.ts");
  execFileSync(process.execPath, [tsup, "--config", config, "--silent"], { cwd: folder, stdio: "inherit" });
  rmSync(join(folder, "src"), { recursive: true });
  return {
    entry: join(folder, "dist", "index.js"),
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
