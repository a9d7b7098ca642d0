// npm run build -- wordpress
//
// Builds the zip that an owner uploads under Plugins, Add New, Upload Plugin. With the argument `dist` it is written to the folder
// that is published on npm.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { zip } from "../../php-bridge/zip/plugin-zip.ts";
import { pluginFiles } from "./plugin-files.ts";

const folder = process.argv[2] === "dist" ? "../dist" : "dist";
const target = fileURLToPath(new URL(`${folder}/tillkit-checkout.zip`, import.meta.url));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, zip(pluginFiles()));
process.stdout.write(`${target}\n`);
