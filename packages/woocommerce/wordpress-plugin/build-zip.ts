// npm run build:wordpress
//
// Builds the zip that an owner uploads under Plugins, Add New, Upload Plugin.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { pluginFiles } from "./plugin-files.ts";
import { zip } from "./zip.ts";

const target = fileURLToPath(new URL("dist/tillkit-checkout.zip", import.meta.url));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, zip(pluginFiles()));
process.stdout.write(`${target}\n`);
