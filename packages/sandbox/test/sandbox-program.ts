import { runSandbox } from "../src/index.ts";

// What `tillkit sandbox --data <directory>` runs: with --json, or with --quiet or neither when the second argument says so.
const [data = ":memory:", option = "json"] = process.argv.slice(2);
await runSandbox({ data, json: option === "json", quiet: option === "quiet", print: (text) => console.log(text) });
