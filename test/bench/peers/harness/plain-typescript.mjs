// node --import ./plain-typescript.mjs program.ts: runs TypeScript as the compiled package would run.
//
// tsx keeps the names of functions by a call at each place where a function is made. A published package has no such calls, and a
// function that is made at every request would be measured with them.
import { register } from "node:module";

register("./plain-typescript-hooks.mjs", import.meta.url);
