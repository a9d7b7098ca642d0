import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readExample } from "./read-example.ts";

// npm run build -- template, after a change of examples/new-adapter.
const file = join(import.meta.dirname, "..", "src", "template.json");
writeFileSync(file, `${JSON.stringify(readExample(), null, 2)}\n`);
console.log(`Wrote ${file}.`);
