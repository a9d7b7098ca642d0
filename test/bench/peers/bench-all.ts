// npm run bench -- all [<name> …] [--rounds 3] [--write]: every benchmark that compares Tillkit with others, side by side in one run.
// It prints the tables. A run of all of them, or one with --write, also puts them into docs/measurements.md.
import { parseArgs } from "node:util";
import { type Bench, benches } from "./benches.ts";
import { installPeers } from "./harness/install-peers.ts";
import { currentLoad, describeRun, isBusy } from "./harness/machine.ts";
import { writeMeasurements } from "./harness/measurements-page.ts";
import { runBench } from "./harness/run-bench.ts";
import { isReached, type Result, table } from "./harness/table.ts";

const ROUNDS = 7;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, write: { type: "boolean" } },
});
const rounds = Number(values.rounds ?? ROUNDS);
const selected = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(", ")}: ${names()}.`);

installPeers();
const loadBefore = currentLoad();
const results: Result[] = [];
const failures: string[] = [];
for (const [index, bench] of selected.entries()) await runOne(bench, `${index + 1}/${selected.length}`);

const run = `${describeRun(loadBefore)}; ${rounds} rounds`;
console.log(`\n${run}\n`);
const missed = results.flatMap(({ measurements }) =>
  measurements.filter((measurement) => isReached(measurement) === false),
);
for (const { what } of missed) console.log(`MISSED: ${what}`);
for (const failure of failures) console.log(`FAILED: ${failure}`);
if (missed.length > 0 || failures.length > 0) process.exitCode = 1;
const isComplete = positionals.length === 0 && rounds >= ROUNDS && failures.length === 0;
if (isComplete || values.write) {
  await writeMeasurements(run, isBusy(loadBefore), results);
  console.log("docs/measurements.md has these tables now.");
}

async function runOne({ name, title, program }: Bench, place: string): Promise<void> {
  const startedAt = performance.now();
  process.stderr.write(`${place} ${title} …\n`);
  try {
    const command = `npm run bench -- all ${name}`;
    const result = { title, command, measurements: await runBench(program, rounds) };
    results.push(result);
    console.log(table(result));
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  process.stderr.write(`${place} ${title}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
}

function names(): string {
  return benches.map(({ name }) => name).join(", ");
}
