/** Runs one step of a build, and prints the name and the duration of the step for the person who waits. */
export async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  process.stderr.write(`${name} …\n`);
  await run();
  process.stderr.write(`${name}: ${((performance.now() - started) / 1_000).toFixed(1)} s\n`);
}
