// npm run pack:all [-- folder]: every package as npm would get it, in the folder release, with what installs them from there.
// With --if-changed, as tests ask, without building again what is built of the present sources.
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { packPackages } from "./pack-packages.ts";
import { publicPackages, repository } from "./packages.ts";
import { optionalPeersOf, pnpmSettings, releaseManifest } from "./release-manifest.ts";
import { runProgram } from "./run-program.ts";

const options = process.argv.slice(2).filter((argument) => argument === "--if-changed");
const [folder = join(repository, "release")] = process.argv.slice(2).filter((argument) => argument !== "--if-changed");
const release = resolve(folder);
const startedAt = performance.now();
try {
  const build = [...process.execArgv, join(repository, "packaging", "build.ts"), ...options];
  await runProgram(process.execPath, build, repository, { showProgress: true });
  await rm(release, { recursive: true, force: true });
  await mkdir(release, { recursive: true });
  process.stderr.write("Packing …\n");
  const tarballs = await packPackages(release);
  const packages = publicPackages();
  const [{ manifest } = { manifest: { version: "" } }] = packages;
  const project = releaseManifest(tarballs, manifest.version, optionalPeersOf(packages));
  await writeFile(join(release, "package.json"), `${JSON.stringify(project, null, 2)}\n`);
  await writeFile(join(release, "pnpm-workspace.yaml"), pnpmSettings(tarballs));
  await copyFile(join(repository, "packaging", "add-to-project.mjs"), join(release, "add.mjs"));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(
    [
      `Built and packed ${tarballs.size} packages into ${relative(process.cwd(), release)}/ in ${seconds} s.`,
      "",
      "Install them in a project; here @tillkit/server with what it needs of ours:",
      "",
      "  cd your-project",
      `  node ${join(release, "add.mjs")} @tillkit/server`,
      "  npm install        # or yarn install; for pnpm, add --pnpm to the line above",
      "",
    ].join("\n"),
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
