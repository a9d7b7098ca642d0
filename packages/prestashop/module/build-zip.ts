// npm run build -- prestashop
//
// Builds the zip that an owner uploads under Modules, Module Manager, Upload a module. With the argument `dist` it is written to the folder
// that is published on npm.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { zip } from "../../php-bridge/zip/plugin-zip.ts";
import { moduleFiles } from "./module-files.ts";

const folder = process.argv[2] === "dist" ? "../dist" : "dist";
const target = fileURLToPath(new URL(`${folder}/tillkit.zip`, import.meta.url));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, zip(moduleFiles()));
process.stdout.write(`${target}\n`);
