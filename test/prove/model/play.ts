import type { Payment } from "@tillkit/core";
import type { Evidence } from "@tillkit/testkit/simulator";
import { findViolations } from "@tillkit/testkit/simulator";
import { act } from "./act.ts";
import { gather } from "./gather.ts";
import type { Script } from "./steps.ts";
import { type ModelWorld, openWorld } from "./world.ts";

const MINUTE = 60_000;
/** Past the last scheduled read of a late payment. */
const CALM_MS = 80 * 60 * MINUTE;
/** A calm that needs more rounds of the worker than this is a storm of our own making. */
const MOST_ROUNDS = 600;

const ENDED: readonly Payment["state"][] = ["recorded", "duplicate", "refunding", "refunded"];

/** `broken`: every promise that was not kept, none when all were. `seen`: what the history came across. */
export type Played = { readonly broken: readonly string[]; readonly seen: Readonly<Record<string, number>> };

/** Plays a script, lets everything heal and time go on, and looks. */
export async function play(script: Script): Promise<Played> {
  const world = await openWorld(script);
  const doubled = new Set<string>();
  let turn = 0;
  const choose = (): number => script.turns[turn++ % Math.max(1, script.turns.length)] ?? 0;
  for (const step of script.steps) {
    await act(world, step);
    await everythingElse();
    for (let count = 0; count < step.after && world.gate.waiting() > 0; count += 1) await goOn(world, choose());
    for (const orderId of await payableTwice(world)) doubled.add(orderId);
  }
  world.service.heal();
  world.store.clearFaults();
  world.store.setLatency(0);
  const calmSince = world.clock.now();
  const rounds = await liveOn(world, calmSince + CALM_MS);
  const evidence = { ...(await gather(world, calmSince)), repeatCalls: await repeatProcessed(world) };
  const broken = findViolations(evidence).map(({ invariant, reason }) => `${invariant} ${reason}`);
  if (rounds >= MOST_ROUNDS) broken.push(`I7 the worker found no rest in ${MOST_ROUNDS} rounds`);
  broken.push(...world.diary.unexpected.map((error) => `an error without a code: ${error}`));
  broken.push(...world.service.rash);
  for (const orderId of doubled) broken.push(`I5 ${orderId} had two payments at once that a shopper could be sent to`);
  return { broken, seen: seenIn(evidence) };
}

async function payableTwice({ ledger, orders }: ModelWorld): Promise<string[]> {
  const all = await Promise.all(orders.map(({ placed }) => ledger.siblings(placed.ref)));
  const payable = all.map((payments) => payments.filter(({ state }) => state === "intent" || state === "open"));
  return payable.flatMap(([first, second]) => (first && second ? [first.ref.orderId] : []));
}

function seenIn({ orders, payments, refunds }: Evidence): Record<string, number> {
  const inState = (...states: Payment["state"][]) => payments.filter(({ state }) => states.includes(state)).length;
  return {
    payments: payments.length,
    "orders paid": orders.filter(({ effects }) => effects.length > 0).length,
    held: inState("review"),
    duplicates: inState("duplicate"),
    refunds: refunds.length,
  };
}

/** Rounds of both workers whenever something is due, until `end`. Answers how many rounds that took. */
async function liveOn(world: ModelWorld, end: number): Promise<number> {
  const { clock, ledger } = world;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await calmDown(world);
    if (clock.now() >= end) return round;
    const next = Math.min((await ledger.nextDueAt()) ?? end, clock.nextWakeAt() ?? end, end);
    await clock.advance(Math.max(0, next - clock.now()));
    await act(world, { do: "reconcile", afterMs: 0, by: round % 2 });
  }
  return MOST_ROUNDS;
}

/** Delivers every event again whose payment has reached its end, and counts what that costs at the service. */
async function repeatProcessed(world: ModelWorld): Promise<number> {
  const { events, total } = world.service;
  const before = total();
  for (const [event, { name, session }] of events.entries()) {
    const payment = await world.ledger.find({ id: session.key });
    if (name !== "PAYMENT_SUCCEEDED" || !payment || !ENDED.includes(payment.state)) continue;
    await act(world, { do: "deliver", event, as: "fresh id", by: 0 });
    await calmDown(world);
    await act(world, { do: "reconcile", afterMs: 0, by: 0 });
    await calmDown(world);
  }
  return total() - before;
}

/** Until nobody waits at the gate any more; who waits for a time goes on waiting. */
async function calmDown(world: ModelWorld): Promise<void> {
  await everythingElse();
  while (world.gate.waiting() > 0) await goOn(world, 0);
}

async function goOn({ gate }: ModelWorld, choice: number): Promise<void> {
  gate.letThrough(choice);
  await everythingElse();
}

// Node runs every microtask, however deeply nested, before the next immediate.
function everythingElse(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
