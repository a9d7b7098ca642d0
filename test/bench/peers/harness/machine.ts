import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";

/** When and where the benchmarks ran, in one sentence. `before` is the load when they began. */
export function describeRun(before: number): string {
  const date = new Date().toISOString().slice(0, 16).replace("T", " ");
  const load = `load ${before.toFixed(1)} at the beginning and ${currentLoad().toFixed(1)} at the end`;
  return `${date} UTC, ${availableParallelism()} cores of ${processor()}, Node ${process.versions.node}, ${load}`;
}

/** Average number of runnable processes in the last minute. */
export function currentLoad(): number {
  return loadavg()[0] ?? Number.NaN;
}

/** Whether others used the machine when the benchmarks began. */
export function isBusy(load: number): boolean {
  return load > 0.5;
}

function processor(): string {
  const { model = "an unknown processor" } = cpus()[0] ?? {};
  if (process.platform !== "linux") return model;
  const details = readFileSync("/proc/cpuinfo", "utf8");
  const value = (name: string) => new RegExp(`^${name}\\s*: (.*)$`, "m").exec(details)?.[1];
  return `${model} (family ${value("cpu family")}, model ${value("model")})`;
}
