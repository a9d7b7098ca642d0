import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../", import.meta.url));
const pnpm = fileURLToPath(new URL("../../../../.setup/pnpm.mjs", import.meta.url));
const stamp = `${folder}node_modules/.installed`;

/** Installs the peers for their lockfile, unless that was done. No package runs a script. */
export function installPeers(): void {
  const lockfile = createHash("sha256")
    .update(readFileSync(`${folder}pnpm-lock.yaml`))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile) return;
  process.stderr.write("Installing what the benchmarks compare with (only the first time) …\n");
  const options = ["--dir", folder, "--ignore-workspace", "--frozen-lockfile", "--ignore-scripts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [pnpm, "install", ...options], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The peers could not be installed. pnpm said:\n${stdout}${stderr}`);
  writeFileSync(stamp, lockfile);
}
