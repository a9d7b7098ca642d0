export { runTillkit } from "./run-tillkit.ts";
