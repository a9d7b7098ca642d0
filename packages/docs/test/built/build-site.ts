import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { repository } from "../../src/folders.ts";

/** Builds the site like `npm run docs -- build`, once for all checks. */
export default async function buildSite(): Promise<void> {
  const program = join(repository, "packages/docs/src/build.ts");
  const build = spawn(process.execPath, ["--conditions=@tillkit/source", "--import", "tsx", program], {
    cwd: repository,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errorOutput = "";
  build.stderr.setEncoding("utf8").on("data", (text) => {
    errorOutput += text;
  });
  const [code] = await once(build, "close");
  if (code !== 0) throw new Error(`The site could not be built:\n${errorOutput}`);
}
