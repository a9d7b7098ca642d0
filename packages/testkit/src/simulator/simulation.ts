import { type Language, limits } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import type { Evidence } from "../invariants/evidence.ts";
import type { Violation } from "../invariants/invariant.ts";
import { findViolations } from "../invariants/invariants.ts";
import {
  addNewerJobs,
  causeServiceOutage,
  causeStoreOutages,
  changeAccount,
  jumpClock,
  killProcesses,
  refuseRequests,
  stopFaults,
} from "./faults.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { HOUR, MINUTE } from "./hazards/durations.ts";
import type { Hazards } from "./hazards/hazards.ts";
import { pick } from "./hazards/random-choice.ts";
import { endOfAccidents, eraseFinished, restoreBackup } from "./ledger-accidents.ts";
import { openWorld, type SimulationOptions } from "./open-world.ts";
import { redeliverAll } from "./redeliver.ts";
import { createApp } from "./simulated-app.ts";
import { withLedgerFaults } from "./simulated-ledger.ts";
import { simulateOwner } from "./simulated-owner.ts";
import { simulatePerson } from "./simulated-person.ts";
import { type ProcessOptions, startProcess } from "./simulated-process.ts";
import { payAfterFaults, simulateShopper } from "./simulated-shopper.ts";
import { simulateTill } from "./simulated-till.ts";
import { simulateWorker } from "./simulated-worker.ts";
import type { SimulationWorld } from "./simulation-world.ts";
import { rotateSecrets } from "./webhook-sender.ts";

export type SimulationResult = {
  readonly violations: readonly Violation[];
  readonly evidence: Evidence;
  readonly hazards: Hazards;
  /** The number of process crashes. */
  readonly deaths: number;
  /** One line per event, for the analysis of a failing seed. */
  history(): readonly string[];
};

/**
 * Simulates one history of a shop in virtual time: shoppers who pay, leave, come back, pay twice or late; an owner who edits,
 * cancels and refunds; a service, a shop and a ledger that are slow, down or lose answers; webhooks that are lost, repeated,
 * forged and reordered; two processes that die at any step and restart. Then all faults end, time advances past the last
 * scheduled read, and the invariants are checked.
 */
export async function runSimulation(options: SimulationOptions): Promise<SimulationResult> {
  const openLedger = options.openLedger ?? (async () => createMemoryLedger());
  const world = await openWorld(options, openLedger);
  try {
    return await runInWorld(world, options);
  } finally {
    await world.ledger.close();
  }
}

async function runInWorld(world: SimulationWorld, options: SimulationOptions): Promise<SimulationResult> {
  const { hazards } = world;
  try {
    await runWithFaults(world, options);
    await payAfterFaults(world);
    await runUntilLastRead(world);
    const redeliveryCalls = await redeliverAll(world);
    const frozenMs = hazards.ledger.freezes > 0 ? limits.orderLeaseMs + limits.jobLeaseMs : 0;
    const callsMs = limits.storeCallMs + limits.serviceCallMs + 3 * hazards.ledger.latencyMs;
    // The time that a call may still take that was in flight when the faults ended.
    const lastCallMs = callsMs + 2 * hazards.skewMs + frozenMs;
    const { faultsEndAt, lastWakeAt } = world;
    const lastFaultAt = Math.max(
      faultsEndAt,
      endOfRestore(world),
      lastWakeAt,
      endOfClockJump(world),
      endOfRefusals(world),
    );
    const evidence = await gatherEvidence(world, { faultsEndedAt: lastFaultAt + lastCallMs, redeliveryCalls });
    const violations = findViolations(evidence);
    return { violations, evidence, hazards, deaths: world.crashes, history: () => historyOf(world) };
  } finally {
    await world.closeStore();
  }
}

async function runWithFaults(world: SimulationWorld, options: SimulationOptions): Promise<void> {
  const { clock, store, hazards, orders } = world;
  const processOptions: Omit<ProcessOptions, "name"> = {
    ledger: withLedgerFaults(world, world.ledger),
    adapt: options.adapt ?? ((adapter) => adapter),
    createApp: options.createApp ?? createApp,
  };
  const start = (name: string) => startProcess(world, { ...processOptions, name });
  for (const name of ["process 1", "process 2"]) world.processes.push(start(name));
  for (let index = 0; index < hazards.orders; index += 1) await placeOrder(world, index);
  store.setLatency(hazards.store.latencyMs);
  const activities = [
    ...orders.flatMap((order) => [simulateShopper(world, order), simulateOwner(world, order)]),
    ...orders.map((order) => simulatePerson(world, order)),
    ...[causeStoreOutages, causeServiceOutage, killProcesses, rotateSecrets].map((causeFaults) => causeFaults(world)),
    ...[changeAccount, simulateTill, restoreBackup, eraseFinished].map((act) => act(world)),
    ...[jumpClock, addNewerJobs, refuseRequests].map((act) => act(world)),
    ...[0, 1].map((index) => simulateWorker(world, index, start)),
  ];
  void Promise.all(activities);
  await clock.runUntil(world.faultsEndAt);
  stopFaults(world);
}

// A payment that the backup lacks is found by an event or by the operator's recovery.
function endOfRestore({ restoredAt, hazards: { money } }: SimulationWorld): number {
  return restoredAt === null ? 0 : restoredAt + (money.restore?.recoversAfterMs ?? 0);
}

// A job that a clock ahead has scheduled waits for its whole wait once more.
function endOfClockJump({ startedAt, hazards: { time } }: SimulationWorld): number {
  const { atMs = 0, lastsMs = 0 } = time.clockJump ?? {};
  return startedAt + atMs + lastsMs + limits.longestRetryMs;
}

// How soon a shop is tried again depends on how long it has refused us.
function endOfRefusals({ startedAt, hazards: { store } }: SimulationWorld): number {
  const { fromMs = 0, lastsMs = 0 } = store.refuses ?? {};
  return startedAt + fromMs + lastsMs + Math.max(MINUTE, Math.min(lastsMs / 10, 15 * MINUTE));
}

// Each run may open further sessions, whose last scheduled reads are later.
async function runUntilLastRead(world: SimulationWorld): Promise<void> {
  const { clock } = world;
  while (clock.now() < timeOfLastRead(world)) await clock.runUntil(timeOfLastRead(world));
}

function timeOfLastRead(world: SimulationWorld): number {
  const { service, faultsEndAt, lastWakeAt } = world;
  const lastReads = service.sessions.map(({ expiresAt }) => expiresAt + limits.graceMs + 10 * MINUTE);
  return Math.max(faultsEndAt + 3 * HOUR, lastWakeAt + 3 * HOUR, endOfAccidents(world), ...lastReads);
}

async function placeOrder(world: SimulationWorld, index: number): Promise<void> {
  const total = pick(world.random, world.totals);
  const language: Language = index % 2 === 0 ? "fr" : "en";
  const placed = await world.store.placeOrder({ total, title: `Order ${index}`, language });
  const totals = [{ total, from: world.startedAt }];
  world.orders.push({ placed, total, totals, closedAttempts: [], payments: [], shopRefundIds: [], closedAt: null });
}

function historyOf({ history, startedAt }: SimulationWorld): readonly string[] {
  // Cuts the day, hours, minutes, seconds and milliseconds out of "1970-01-01T00:00:00.000Z".
  return history.map(({ at, text }) => `${new Date(at - startedAt).toISOString().slice(8, 23)} ${text}`);
}
