import { runSandbox } from "../src/index.ts";

// What `tillkit sandbox --data <directory>` runs. The second argument is "json" or "quiet", or another text for neither option.
const [data = ":memory:", option = "json"] = process.argv.slice(2);
await runSandbox({ data, json: option === "json", quiet: option === "quiet", print: (text) => console.log(text) });
