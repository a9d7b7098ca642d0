// npm run bench -- audit: an audit of 100,000 orders and 120,000 movements, bundled as the command is published.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Inside the command's package, so that the bundle finds the drivers.
const outfile = fileURLToPath(new URL("../../../cli/node_modules/.bench-audit.mjs", import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL("./measure-audit.ts", import.meta.url))],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["@tillkit/source"],
  external: ["pg", "kysely", "@photostructure/sqlite", "nodemailer"],
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});
const [code] = await once(spawn(process.execPath, [outfile], { stdio: "inherit" }), "close");
await rm(outfile);
process.exitCode = code ?? 1;
