import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./measurement.ts";

const loader = new URL("./plain-typescript.mjs", import.meta.url).href;

/**
 * Runs the program of a benchmark, from source, as compiled packages run.
 *
 * @returns the measurements that it printed
 * @throws Error when the program fails or measures nothing
 */
export async function runBench(program: string, rounds: number): Promise<readonly Measurement[]> {
  const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@tillkit/source", "--import", loader, file], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TILLKIT_BENCH_ROUNDS: String(rounds) },
  });
  const closed = new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const measurements: Measurement[] = [];
  for await (const line of createInterface({ input: child.stdout })) measurements.push(JSON.parse(line));
  const code = await closed;
  if (code !== 0) throw new Error(`${program} ended with code ${code}.`);
  if (measurements.length === 0) throw new Error(`${program} measured nothing.`);
  return measurements;
}
