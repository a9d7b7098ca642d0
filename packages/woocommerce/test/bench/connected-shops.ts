// npm run bench -- shops [sqlite|postgres] [shops] [processes]: a checkout server with 1, 100, 1,000 and 10,000 shops that connected
// themselves, and four processes that share 20,000 on PostgreSQL: how soon each is ready, its memory once every shop was used, and its
// processor time while nothing happens. The limits are those of 1,000 shops.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";
import { connectShops } from "./connect-shops.ts";
import { measureProcesses } from "./measure-processes.ts";

const MAX_START_MS = 5_000;
const MAX_MEMORY_MB = 250;
const MAX_IDLE_PERCENT = 2;
const IDLE_MS = 45_000;
const KEY = "a key of the bench that signs links, never of a real host";
const LIMITED_COUNT = 1_000;

const [chosenEngine, countText, processesText] = process.argv.slice(2);
const counts = countText === undefined ? [1, 100, 1_000, 10_000] : [Number(countText)];
for (const engine of ["sqlite", "postgres"] as const) {
  if (chosenEngine !== undefined && chosenEngine !== engine) continue;
  for (const count of counts) await measure(engine, count, Number(processesText ?? 1));
}
if (chosenEngine !== "sqlite" && countText === undefined) await measure("postgres", 20_000, 4);

async function measure(engine: "sqlite" | "postgres", count: number, processes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-shops-"));
  const file = `sqlite:${join(folder, "ledger.db")}`;
  const server = engine === "sqlite" ? null : await startPostgres();
  try {
    if (server?.isServer === false) return console.log("postgres: no server on this machine, nothing measured");
    const database = server?.url ?? file;
    await connectShops(file, database, KEY, count);
    const usages = await measureProcesses({ database, key: KEY, idleMs: IDLE_MS, processes });
    const worst = (of: (usage: (typeof usages)[number]) => number) => Math.max(...usages.map(of));
    const many = processes === 1 ? "" : `, worst of ${processes} processes`;
    const what = `${count.toLocaleString("en")} shops on ${engine}${many}`;
    const [readyMs, readyCpuMs] = [worst((usage) => usage.readyMs), worst((usage) => usage.readyCpuMs)];
    const start = `${readyMs.toFixed(0)} ms, ${readyCpuMs.toFixed(0)} ms of a core`;
    reportOf(count, `${what}: ready`, start, `at most ${MAX_START_MS} ms`, readyMs <= MAX_START_MS);
    const rssMb = worst((usage) => usage.rssMb);
    reportOf(count, `${what}: memory`, `${rssMb.toFixed(0)} MB`, `at most ${MAX_MEMORY_MB} MB`, rssMb <= MAX_MEMORY_MB);
    const sweepMs = worst((usage) => usage.sweepMs ?? 0);
    if (sweepMs > 0) console.log(`${`${what}: daily sweep`.padEnd(44)} ${sweepMs.toFixed(0)} ms of a core`);
    const idle = worst(({ idlePercent }) => idlePercent);
    const limit = `under ${MAX_IDLE_PERCENT} %`;
    reportOf(count, `${what}: idle`, `${idle.toFixed(2)} % of a core`, limit, idle < MAX_IDLE_PERCENT);
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A measurement over its limit fails the benchmark, where there are as many shops as the limits are for. */
function reportOf(count: number, what: string, measured: string, limit: string, isWithinLimit: boolean): void {
  const isMissed = count === LIMITED_COUNT && !isWithinLimit;
  console.log(
    `${what.padEnd(44)} ${measured}${count === LIMITED_COUNT ? `  (${limit})` : ""}${isMissed ? "  MISSED" : ""}`,
  );
  if (isMissed) process.exitCode = 1;
}
