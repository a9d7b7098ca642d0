// What it costs to receive a signed event of 1 KB. Ours keeps each one durably before it answers; the others only verify and parse it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { startPostgres } from "../../postgres/start-postgres.ts";
import { bundleContender } from "./harness/bundle-contender.ts";
import { measureInRounds, printMeasurement, seriesOf } from "./harness/measurement.ts";
import { type ReceiverProcess, startReceiver } from "./receive/receiver-process.ts";
import { type Sent, sendAll } from "./receive/send-all.ts";
import { ENDPOINT, signedEvent } from "./receive/signed-events.ts";

type Figures = Sent & { readonly cpuMicroseconds: number };

const EVENTS = 10_000;
/** As many as the ledger stores in one commit. */
const CONNECTIONS = 256;
const BARE = "bare node:http";
const EXPRESS = "Express + stripe";

const program = await bundleContender(new URL("./receive/one-receiver.ts", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "tillkit-receive-"));
const postgres = await startPostgres({ durable: true });
const sqliteUrl = `sqlite:${join(folder, "ledger.db")}`;
const receivers = {
  ours: await startReceiver(program, ["ours", sqliteUrl]),
  ...(postgres.isServer ? { "ours on PostgreSQL": await startReceiver(program, ["ours", postgres.url]) } : {}),
  [BARE]: await startReceiver(program, ["bare"]),
  fastify: await startReceiver(program, ["fastify"]),
  [EXPRESS]: await startReceiver(program, ["express"]),
};
const lastDigests = new Map<string, readonly string[]>();
try {
  const runs = Object.entries(receivers).map(([name, receiver]) => [name, () => measure(name, receiver)] as const);
  // Without a warm-up, the first round would measure how Node compiles.
  for (const [, run] of runs) await run();
  const measured = await measureInRounds(Object.fromEntries(runs));
  await assertKept(sqliteUrl, lastDigests.get("ours") ?? []);
  if (postgres.isServer) await assertKept(postgres.url, lastDigests.get("ours on PostgreSQL") ?? []);
  print(measured);
} finally {
  await Promise.all(Object.values(receivers).map((receiver) => receiver.stop()));
  await postgres.stop();
  await rm(folder, { recursive: true });
}

async function measure(name: string, receiver: ReceiverProcess): Promise<Figures> {
  const events = Array.from({ length: EVENTS }, signedEvent);
  lastDigests.set(
    name,
    events.map(({ digest }) => digest),
  );
  const before = await receiver.cpuMs();
  const sent = await sendAll(
    receiver.port,
    events.map(({ wire }) => wire),
    CONNECTIONS,
  );
  return { ...sent, cpuMicroseconds: (((await receiver.cpuMs()) - before) * 1_000) / EVENTS };
}

/** A receiver that loses what it acknowledged would look fast. */
async function assertKept(ledgerUrl: string, digests: readonly string[]): Promise<void> {
  const ledger = await openLedger(ledgerUrl);
  for (const digest of digests)
    if ((await ledger.delivery(ENDPOINT, digest)) === null) throw new Error("An acknowledged event was not kept.");
  await ledger.close();
}

function print(measured: Readonly<Record<string, readonly Figures[]>>): void {
  const rates = seriesOf(measured, ({ perSecond }) => perSecond);
  const inFlight = `${CONNECTIONS} in flight`;
  const goal = { atLeast: 0.65, timesOf: BARE };
  printMeasurement({ what: `1 KB, ${inFlight}: kept in a second`, unit: "requests/s", ...rates, goal });
  printMeasurement({
    what: "the same beside Express + stripe",
    unit: "requests/s",
    ours: rates.ours,
    peers: { [EXPRESS]: rates.peers[EXPRESS] ?? [] },
    goal: { atLeast: 2, timesOf: EXPRESS },
  });
  const figure = (what: string, unit: string, of: (figures: Figures) => number) =>
    printMeasurement({ what: `1 KB, ${inFlight}: ${what}`, unit, ...seriesOf(measured, of) });
  figure("CPU of a request", "µs", ({ cpuMicroseconds }) => cpuMicroseconds);
  figure("half of the requests within", "ms", ({ p50Ms }) => p50Ms);
  figure("99 of 100 within", "ms", ({ p99Ms }) => p99Ms);
}
