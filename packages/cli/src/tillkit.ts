#!/usr/bin/env node
import { runTillkit } from "./run-tillkit.ts";

process.exitCode = await runTillkit(process.argv.slice(2));
