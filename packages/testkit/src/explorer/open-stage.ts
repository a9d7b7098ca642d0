import { createMemoryLedger } from "@tillkit/core/memory";
import { createWorld } from "../simulator/create-world.ts";
import { MINUTE } from "../simulator/hazards/durations.ts";
import { type Hazards, NO_HAZARDS } from "../simulator/hazards/hazards.ts";
import { openStore } from "../simulator/open-world.ts";
import { withBackups, withoutBackups } from "../simulator/restorable-ledger.ts";
import { createSimulatedClock } from "../simulator/simulated-clock.ts";
import { increment, type SimulationWorld, withTimeout } from "../simulator/simulation-world.ts";
import { createCountingRandom } from "./counting-random.ts";
import type { Scenario } from "./scenario.ts";
import { createStage, isFrozen, type Stage } from "./stage.ts";

const START = Date.UTC(2026, 2, 1);
const CALLBACK_TIMEOUT_MS = 20_000;
/** The last of several equal choices: an event names everything that it can name. */
const LAST = 0.999_999;

const USUAL: Hazards = {
  ...NO_HAZARDS,
  service: { ...NO_HAZARDS.service, latencyMs: 0 },
  store: { ...NO_HAZARDS.store, latencyMs: 0 },
};

/** Opens the scenario's world, with its orders and two processes. `isTold`: the history names each step. */
export async function openStage(scenario: Scenario, isTold: boolean): Promise<Stage> {
  const clock = createSimulatedClock(START);
  const openLedger = scenario.openLedger ?? (async () => createMemoryLedger());
  const ledger = await openLedger();
  const opened = await openStore(scenario.store, clock, ledger.records, (id) => authorize(stage, id));
  const acts = [...scenario.before, ...scenario.acts];
  const usual = { ...USUAL, owner: { ...USUAL.owner, autoRefund: scenario.autoRefund ?? [] } };
  const hazards = scenario.hazards?.(usual) ?? usual;
  const random = (name: number) => createCountingRandom(name, LAST);
  const world = createWorld({
    clock,
    randoms: {
      random: random(1),
      hazardRandom: random(2),
      refundRandom: random(3),
      moneyRandom: random(4),
      personRandom: random(5),
      timeRandom: random(6),
    },
    ledger: acts.some((act) => act.do === "restore") ? withBackups(ledger, openLedger) : withoutBackups(ledger),
    opened,
    startedAt: START,
    hazards,
    // The faults end when the schedule has no more of them.
    faultPeriodMs: 10 * MINUTE,
  });
  await placeOrders(world, 1 + Math.max(...acts.map((act) => ("order" in act ? (act.order ?? 0) : 0))));
  const stage = createStage(world, isTold);
  return stage;
}

async function placeOrders({ store, totals, orders, startedAt }: SimulationWorld, count: number): Promise<void> {
  const [total] = totals;
  for (let index = 0; index < count; index += 1) {
    const placed = await store.placeOrder({ total, title: `Order ${index}`, language: "en" });
    orders.push({
      placed,
      total,
      totals: [{ total, from: startedAt }],
      closedAttempts: [],
      payments: [],
      shopRefundIds: [],
      closedAt: null,
    });
  }
}

// The shop's callback is a request to one process and fails if that process dies.
async function authorize(stage: Stage, paymentId: string) {
  const { world, processes } = stage;
  increment(world.tallies.signals, paymentId);
  const process = processes.find((one) => !isFrozen(stage, one)) ?? processes[0];
  const verdict = process && (await withTimeout(world, CALLBACK_TIMEOUT_MS, process.app.verify(paymentId)));
  if (!verdict) throw new Error("No process answered the shop's callback.");
  return verdict;
}
