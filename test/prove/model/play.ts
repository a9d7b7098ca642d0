import type { Payment } from "@tillkit/core";
import type { Evidence } from "@tillkit/testkit/simulator";
import { findViolations } from "@tillkit/testkit/simulator";
import { act } from "./act.ts";
import type { ModelEvent } from "./events.ts";
import { type ModelFixture, openFixture } from "./fixture.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import type { Script } from "./steps.ts";

const MINUTE = 60_000;
/** Longer than a session's life and grace period together, after which nothing is read any more. */
const SETTLE_MS = 80 * 60 * MINUTE;
/** If the jobs need more runs than this after the faults, they repeat endlessly. */
const MAX_ROUNDS = 600;

const FINISHED_STATES: readonly Payment["state"][] = ["recorded", "duplicate", "refunding", "refunded"];

/** `violations`: the violated invariants. `seen`: counts of what the history contained. */
export type PlayResult = { readonly violations: readonly string[]; readonly seen: Readonly<Record<string, number>> };

/** Plays a script, ends all faults, advances the time and checks the invariants. */
export async function play(script: Script): Promise<PlayResult> {
  const fixture = await openFixture(script);
  const ordersPayableTwice = new Set<string>();
  let released = 0;
  // The choices repeat from the start when they are used up.
  function nextChoice(): number {
    const choice = script.releaseChoices[released % Math.max(1, script.releaseChoices.length)] ?? 0;
    released += 1;
    return choice;
  }
  for (const step of script.steps) {
    await act(fixture, step);
    await runMicrotasks();
    for (let count = 0; count < step.callsReleased && fixture.gate.waiting() > 0; count += 1)
      await releaseCall(fixture, nextChoice());
    fixture.backups.takeBackup();
    for (const orderId of await findDoublePayable(fixture)) ordersPayableTwice.add(orderId);
  }
  fixture.service.heal();
  fixture.store.clearFaults();
  fixture.store.setLatency(0);
  const faultsEndedAt = fixture.clock.now();
  const rounds = await runUntil(fixture, faultsEndedAt + SETTLE_MS);
  const gathered = await gatherEvidence(fixture, faultsEndedAt);
  const evidence: Evidence = { ...gathered, redeliveryCalls: await repeatProcessed(fixture) };
  const violations = findViolations(evidence).map(({ invariant, reason }) => `${invariant} ${reason}`);
  if (rounds >= MAX_ROUNDS) violations.push(`I7 the workers still had due jobs after ${MAX_ROUNDS} rounds`);
  violations.push(...fixture.recorder.unexpected.map((error) => `an error without a code: ${error}`));
  violations.push(...fixture.service.misuses);
  for (const orderId of ordersPayableTwice)
    violations.push(`I5 ${orderId} had two payments at once that a shopper could be sent to`);
  return { violations, seen: countOutcomes(evidence) };
}

async function findDoublePayable({ ledger, orders }: ModelFixture): Promise<string[]> {
  const all = await Promise.all(orders.map(({ placed }) => ledger.paymentsOfOrder(placed.ref)));
  const payable = all.map((payments) => payments.filter(({ state }) => state === "intent" || state === "open"));
  return payable.flatMap(([first, second]) => (first && second ? [first.ref.orderId] : []));
}

function countOutcomes({
  orders,
  payments,
  refunds,
  disputes,
  transactions,
  memory,
}: Evidence): Record<string, number> {
  const inState = (...states: Payment["state"][]) => payments.filter(({ state }) => states.includes(state)).length;
  return {
    payments: payments.length,
    "orders paid": orders.filter(({ effects }) => effects.length > 0).length,
    held: inState("review"),
    duplicates: inState("duplicate"),
    refunds: refunds.length,
    disputes: disputes.length,
    "strangers' sales": transactions.filter(({ paymentId }) => paymentId === null).length,
    restored: memory.restoredAt === null ? 0 : 1,
  };
}

/** Runs both workers whenever something is due until `end`. Returns the number of runs. */
async function runUntil(fixture: ModelFixture, end: number): Promise<number> {
  const { clock, ledger } = fixture;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await releaseAllCalls(fixture);
    if (clock.now() >= end) return round;
    const next = Math.min((await ledger.nextDueAt()) ?? end, clock.nextWakeAt() ?? end, end);
    await clock.advance(Math.max(0, next - clock.now()));
    await act(fixture, { kind: "reconcile", afterMs: 0, by: round % 2 });
  }
  return MAX_ROUNDS;
}

/** Delivers every success event of a finished payment again and counts the calls to the service. */
async function repeatProcessed(fixture: ModelFixture): Promise<number> {
  const { events, callCount } = fixture.service;
  // A restored ledger may still read what it has forgotten.
  if (fixture.recorder.restoredAt !== null || (await hasRefundInDoubt(fixture))) return 0;
  const before = callCount();
  for (const [event, sent] of events.entries()) {
    if (!(await isProcessed(fixture, sent))) continue;
    await act(fixture, { kind: "deliver", event, as: "fresh id", by: 0 });
    await releaseAllCalls(fixture);
    await act(fixture, { kind: "reconcile", afterMs: 0, by: 0 });
    await releaseAllCalls(fixture);
  }
  return callCount() - before;
}

// A refund in doubt is read until the service's answers agree. These calls are not caused by a delivery.
async function hasRefundInDoubt({ ledger, orders }: ModelFixture): Promise<boolean> {
  const payments = (await Promise.all(orders.map(({ placed }) => ledger.paymentsOfOrder(placed.ref)))).flat();
  const refunds = (await Promise.all(payments.map(({ id }) => ledger.refunds(id)))).flat();
  return refunds.some(({ state }) => state === "requested" || state === "unknown");
}

// A success whose transaction the ledger does not know yet causes one more read, because a refund needs the transaction.
async function isProcessed({ ledger }: ModelFixture, { name, transaction }: ModelEvent): Promise<boolean> {
  const payment = transaction.session && (await ledger.find({ id: transaction.session.key }));
  if (name !== "PAYMENT_SUCCEEDED" || !payment || !FINISHED_STATES.includes(payment.state)) return false;
  const known = await ledger.transactions(payment.id);
  return known.some(({ id, isRead, evidence }) => id === transaction.id && isRead && evidence !== "resemblance");
}

/** Releases all calls at the gate. Calls that wait for the clock keep waiting. */
async function releaseAllCalls(fixture: ModelFixture): Promise<void> {
  await runMicrotasks();
  while (fixture.gate.waiting() > 0) await releaseCall(fixture, 0);
}

async function releaseCall({ gate }: ModelFixture, choice: number): Promise<void> {
  gate.release(choice);
  await runMicrotasks();
}

// Node runs every microtask, however deeply nested, before the next immediate.
function runMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
