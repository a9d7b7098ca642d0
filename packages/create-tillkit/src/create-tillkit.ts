#!/usr/bin/env node
import process from "node:process";
import { runCreate } from "./run-create.ts";

// The new shop would not start on an older version.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  process.stderr.write(`Tillkit needs Node 20.19, 22.12 or newer: this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  process.exitCode = await runCreate(process.argv.slice(2));
}
