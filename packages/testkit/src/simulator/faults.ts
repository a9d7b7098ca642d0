import type { JobKind } from "@tillkit/core/ledger";
import { MINUTE, SECOND } from "./hazards/durations.ts";
import { NO_HAZARDS } from "./hazards/hazards.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import { addHistory, areFaultsActive, increment, type SimulationWorld, wakeWorker } from "./simulation-world.ts";

/** Takes the shop down at random times. While it is down, the shop answers 503 to every request. */
export async function causeStoreOutages(world: SimulationWorld): Promise<void> {
  const { clock, random, store } = world;
  const { down } = world.hazards.store;
  while (down > 0 && areFaultsActive(world)) {
    await clock.sleep(randomMs(random, 4 * MINUTE));
    if (!areFaultsActive(world) || !happens(random, down)) continue;
    addHistory(world, "the shop: down");
    store.setDown(true);
    await clock.sleep(randomMs(random, 5 * MINUTE));
    store.setDown(false);
  }
}

/** The shop refuses every request for a period. */
export async function refuseRequests(world: SimulationWorld): Promise<void> {
  const { clock, store } = world;
  const { refuses } = world.hazards.store;
  if (refuses === null) return;
  await clock.sleep(refuses.fromMs);
  addHistory(world, `the shop refuses us for ${refuses.lastsMs / SECOND} s`);
  store.setRefusing(true);
  await clock.sleep(refuses.lastsMs);
  store.setRefusing(false);
}

/** Takes the whole service down for a period. */
export async function causeServiceOutage(world: SimulationWorld): Promise<void> {
  const { outage } = world.hazards.service;
  if (outage === null) return;
  setOutage(world, null);
  await world.clock.sleep(outage.fromMs);
  addHistory(world, `the service is down for ${outage.lastsMs / MINUTE} min`);
  setOutage(world, outage);
  await world.clock.sleep(outage.lastsMs);
  setOutage(world, null);
}

function setOutage(world: SimulationWorld, outage: SimulationWorld["hazards"]["service"]["outage"]): void {
  const { hazards } = world;
  world.hazards = { ...hazards, service: { ...hazards.service, outage: areFaultsActive(world) ? outage : null } };
}

/** The merchant becomes the member of an Operator: payments that are opened from then on name an account. */
export async function changeAccount(world: SimulationWorld): Promise<void> {
  const { accountFromMs } = world.hazards.money;
  if (accountFromMs === null || world.hazards.account !== null) return;
  await world.clock.sleep(accountFromMs);
  world.hazards = { ...world.hazards, account: "acct_member" };
  addHistory(world, "the key acts for acct_member from now on");
}

/** The clock of the machine of all processes jumps, and is set right later. */
export async function jumpClock(world: SimulationWorld): Promise<void> {
  const { clock, processes, hazards } = world;
  const { clockJump } = hazards.time;
  if (clockJump === null) return;
  await clock.sleep(clockJump.atMs);
  world.clockAheadMs = clockJump.aheadMs;
  addHistory(world, `the clock is ${clockJump.aheadMs / MINUTE} min ahead`);
  await clock.sleep(clockJump.lastsMs);
  world.clockAheadMs = 0;
  addHistory(world, "the clock is right again");
  for (const _ of processes) wakeWorker(world);
}

/** A newer version adds jobs of a kind that this version does not know, and does not run for days. */
export async function addNewerJobs(world: SimulationWorld): Promise<void> {
  const { clock, timeRandom, ledger, orders, hazards, store } = world;
  for (let count = 0; count < hazards.time.newerJobs; count += 1) {
    await clock.sleep(randomMs(timeRandom, MINUTE));
    const [payment] = await ledger.paymentsOfOrder(pick(timeRandom, [orders[0], ...orders])?.placed.ref ?? NO_ORDER);
    const about = { storeId: store.storeId, paymentId: payment?.id ?? null };
    const job = { kind: NEWER_KIND as JobKind, ...about, payload: `${count}`, dueAt: clock.now() };
    await ledger.commit({ jobs: [job], timeline: [] });
  }
}

/** The kind of a job that only a newer version knows. */
const NEWER_KIND = "kind-of-a-newer-version";
const NO_ORDER = { storeId: "", orderId: "" };

/** Kills processes at random times. */
export async function killProcesses(world: SimulationWorld): Promise<void> {
  const { clock, random, processes, hazards } = world;
  for (let kill = 0; kill < hazards.kills; kill += 1) {
    await clock.sleep(randomMs(random, pick(random, [MINUTE, 20 * MINUTE])));
    if (!areFaultsActive(world)) return;
    const index = pick(random, [0, 1]);
    processes[index]?.handle.kill();
    addHistory(world, `process ${index + 1} is killed`);
    // Wake the waiting workers, so that a killed worker restarts.
    for (const _ of world.processes) wakeWorker(world);
  }
}

/** Ends all faults: dead processes restart, the service and the shop answer and the clocks are right. */
export function stopFaults(world: SimulationWorld): void {
  const { store, hazards, processes, orders, tallies } = world;
  const { account, owner, money, time } = hazards;
  // What a service names and keeps, and what disputes do to refunds, are no faults that end.
  world.hazards = { ...NO_HAZARDS, account, owner: { ...NO_HAZARDS.owner, autoRefund: owner.autoRefund }, money };
  // How long the shop refused us says how soon it is tried again.
  world.hazards = { ...world.hazards, store: { ...NO_HAZARDS.store, refuses: hazards.store.refuses } };
  // A broken axiom is no fault that ends.
  world.hazards = { ...world.hazards, time: { ...world.hazards.time, broken: time.broken, clockJump: time.clockJump } };
  store.heal();
  // Every process has the new keys once the host has started it again.
  if (hazards.rotates) {
    for (const { handle } of processes) handle.kill();
    // A read that was under way is made again.
    for (const id of orders.flatMap(({ payments }) => payments)) increment(tallies.retries, id);
  }
  addHistory(world, "all faults have ended");
}
