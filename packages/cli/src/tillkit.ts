#!/usr/bin/env node
import { runTillkit } from "./run-tillkit.ts";

// Node.js warns of what is experimental in it, such as SQLite in version 22. Scripts read standard error, and the reader can do nothing about it.
const printWarning = process.listeners("warning");
process.removeAllListeners("warning").on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") for (const print of printWarning) print(warning);
});

process.exitCode = await runTillkit(process.argv.slice(2));
