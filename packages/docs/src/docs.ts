// npm run docs: serves the site and reloads a page when its file changes. npm run docs -- build: builds it into packages/docs/dist.
import process from "node:process";

await (process.argv[2] === "build" ? import("./build.ts") : import("./serve.ts"));
