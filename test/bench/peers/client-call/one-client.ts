// node one-client.ts <contender> <base URL> <in flight> <calls>: what a call of a contender costs, in a process of its own.
import { Socket } from "node:net";
import { printFigures } from "../harness/contender.ts";
import { median } from "../harness/table.ts";
import { contenders } from "./contenders.ts";

const [name = "", baseUrl = "", inFlightText, callsText] = process.argv.slice(2);
const inFlight = Number(inFlightText);
const calls = Number(callsText);
const MOST_CPU_MS = 1_500;

let connections = 0;
const { connect } = Socket.prototype;
Socket.prototype.connect = function countAndConnect(this: Socket, ...args: unknown[]) {
  connections += 1;
  return Reflect.apply(connect, this, args);
};

const call = contenders[name]?.(baseUrl);
if (call === undefined) throw new Error(`There is no contender ${name}.`);

await makeCalls(MOST_CPU_MS / 2);
connections = 0;
const { durations, cpuMs } = await makeCalls(MOST_CPU_MS);
printFigures({
  cpuMicroseconds: (cpuMs * 1_000) / durations.length,
  p50Ms: median(durations),
  p99Ms: [...durations].sort((left, right) => left - right)[Math.floor(durations.length * 0.99)] ?? Number.NaN,
  connectionsPerThousand: (connections * 1_000) / durations.length,
});
process.exit();

/** Makes `calls` calls, fewer when they need more than this CPU time: some contenders need a hundred times as much as others. */
async function makeCalls(mostCpuMs: number): Promise<{ durations: readonly number[]; cpuMs: number }> {
  const durations: number[] = [];
  const before = process.cpuUsage();
  const spentMs = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  let left = calls;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      const startedAt = performance.now();
      await call?.();
      durations.push(performance.now() - startedAt);
      if (durations.length % 64 === 0 && spentMs() > mostCpuMs) left = 0;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return { durations, cpuMs: spentMs() };
}
