import { HOUR, MINUTE, SECOND } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import type { SimulatedDispute } from "./service-disputes.ts";
import type { SimulatedTransaction } from "./service-readings.ts";
import { addHistory, type SimulationWorld } from "./simulation-world.ts";
import { sendDisputeEvent } from "./webhook-sender.ts";

/** Some of the completed transactions of our sessions are disputed by their cardholders. */
export function disputeAtRandom(world: SimulationWorld, transaction: SimulatedTransaction): void {
  const { moneyRandom, hazards } = world;
  if (happens(moneyRandom, hazards.money.disputes)) void disputeTransaction(world, transaction);
}

/** Opens a dispute of the transaction, of any amount, which ends in any way or not at all. */
export async function disputeTransaction(world: SimulationWorld, transaction: SimulatedTransaction): Promise<void> {
  const { clock, moneyRandom, service } = world;
  // A dispute that is opened at once reaches us before the success event where that event is late.
  await clock.sleep(randomMs(moneyRandom, pick(moneyRandom, [SECOND, 10 * MINUTE, 40 * MINUTE])));
  const dispute: SimulatedDispute = {
    id: `dp_${moneyRandom.uuid()}`,
    transaction,
    ...disputedMoney(world, transaction),
    version: 1,
    state: "open",
  };
  service.disputes.push(dispute);
  report(world, dispute);
  const events = pick(moneyRandom, [0, 1, 1, 2]);
  for (let event = 0; event < events; event += 1) {
    await clock.sleep(1 + randomMs(moneyRandom, pick(moneyRandom, [2 * SECOND, 20 * MINUTE, 2 * HOUR])));
    dispute.version += 1;
    // A decided dispute may be decided again on appeal. Every second undecided dispute only changes.
    dispute.state = pick(moneyRandom, ["lost", "lost", "won", "closed", dispute.state]);
    report(world, dispute);
  }
}

function report(world: SimulationWorld, dispute: SimulatedDispute): void {
  const { transaction, amount, currency, state } = dispute;
  addHistory(world, `dispute of ${amount ?? "an unknown amount"} ${currency} of ${transaction.id}: ${state}`);
  sendDisputeEvent(world, dispute);
}

function disputedMoney(
  { moneyRandom }: SimulationWorld,
  { amount, currency }: SimulatedTransaction,
): Pick<SimulatedDispute, "amount" | "currency"> {
  return pick<Pick<SimulatedDispute, "amount" | "currency">>(moneyRandom, [
    { amount, currency },
    { amount, currency },
    { amount: Math.ceil(amount / 2), currency },
    { amount: 100, currency },
    { amount: amount + 500, currency },
    { amount: 900, currency: "EUR" },
    { amount: null, currency },
  ]);
}
