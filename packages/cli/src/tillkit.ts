#!/usr/bin/env node
import { runTillkit } from "./run-tillkit.ts";

// Node.js 22 warns that its SQLite is experimental. Scripts read standard error, and the reader can do nothing about it.
const printWarning = process.listeners("warning");
process.removeAllListeners("warning").on("warning", (warning) => {
  const isAboutSqlite = warning.name === "ExperimentalWarning" && warning.message.startsWith("SQLite");
  if (!isAboutSqlite) for (const print of printWarning) print(warning);
});

process.exitCode = await runTillkit(process.argv.slice(2));
