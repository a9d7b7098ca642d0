// npm run bench -- NAME [arguments]: runs one benchmark; `npm run bench` lists them. Each program says above its code what it takes.
import { benches } from "./table.ts";

const [name] = process.argv.splice(2, 1);
const bench = name !== undefined && Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench !== undefined) await import(new URL(`../../${bench.program}`, import.meta.url).href);
else if (name === undefined) console.log(`npm run bench -- NAME [arguments]\n\n${list()}`);
else {
  console.error(`There is no benchmark "${name}".\n\n${list()}`);
  process.exitCode = 2;
}

function list(): string {
  return Object.entries(benches)
    .map(([key, { measures }]) => `  ${key.padEnd(16)}${measures}`)
    .join("\n");
}
