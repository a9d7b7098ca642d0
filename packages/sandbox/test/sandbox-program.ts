import { runSandbox } from "../src/index.ts";

// What `tillkit sandbox --json --data <directory>` runs.
await runSandbox({ data: process.argv[2] ?? ":memory:", json: true, print: (text) => console.log(text) });
