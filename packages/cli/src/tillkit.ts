#!/usr/bin/env node
import process from "node:process";

// Node.js warns of what is experimental in it, such as SQLite in version 22. Scripts read standard error, and the reader can do nothing about it.
const printWarning = process.listeners("warning");
process.removeAllListeners("warning").on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") for (const print of printWarning) print(warning);
});

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  process.stderr.write(`Tillkit needs Node 20.19, 22.12 or newer: this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  // An older version could not load the commands, and would say why in words that help nobody.
  const { runTillkit } = await import("./run-tillkit.ts");
  process.exitCode = await runTillkit(process.argv.slice(2));
}
