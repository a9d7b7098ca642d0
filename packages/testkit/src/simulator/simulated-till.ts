import { MINUTE } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import type { SimulatedTransaction } from "./service-readings.ts";
import { codeFor } from "./service-readings.ts";
import { disputeTransaction } from "./simulated-disputes.ts";
import { addHistory, type SimulationWorld } from "./simulation-world.ts";
import { sendRefundEvent, sendTransactionEvent } from "./webhook-sender.ts";

/**
 * Simulates a till of the merchant on the same API key. Its sales are real money of other people, often with the amount of an order
 * and while that order's page is open. Their genuine events name a transaction and nothing else.
 */
export async function simulateTill(world: SimulationWorld): Promise<void> {
  const { clock, moneyRandom, hazards } = world;
  const { tillSales } = hazards.money;
  for (let sale = 0; sale < tillSales; sale += 1) {
    await clock.sleep(randomMs(moneyRandom, hazards.faultPeriodMs / tillSales));
    void sell(world);
  }
}

async function sell(world: SimulationWorld): Promise<void> {
  const { clock, moneyRandom, hazards } = world;
  const transaction = completeSale(world);
  addHistory(world, `the till: ${transaction.id} of ${transaction.amount} ${transaction.currency}`);
  sendTransactionEvent(world, "PAYMENT_SUCCEEDED", transaction);
  if (happens(moneyRandom, hazards.money.tillRefunds)) {
    await clock.sleep(randomMs(moneyRandom, 30 * MINUTE));
    refundSale(world, transaction);
  }
  if (happens(moneyRandom, hazards.money.tillDisputes)) await disputeTransaction(world, transaction);
}

function completeSale({ clock, moneyRandom, hazards, service, totals }: SimulationWorld): SimulatedTransaction {
  const terms = service.sessions.map(({ requestedTerms }) => requestedTerms);
  const { currency } = pick(moneyRandom, totals);
  const other = { amount: 700 + Math.floor(moneyRandom.fraction() * 9_000), currency };
  const { amount, currency: paid } = pick(moneyRandom, [other, ...terms, ...terms]);
  const id = `tx_${moneyRandom.uuid()}`;
  const transaction: SimulatedTransaction = {
    id,
    code: codeFor(id),
    session: null,
    amount,
    currency: paid,
    account: pick(moneyRandom, [hazards.account, hazards.account, null]),
    completedAt: clock.now(),
  };
  service.transactions.push(transaction);
  return transaction;
}

function refundSale(world: SimulationWorld, transaction: SimulatedTransaction): void {
  const { moneyRandom, service } = world;
  const part = Math.min(100, transaction.amount);
  const made = service.refundInDashboard(transaction, pick(moneyRandom, [transaction.amount, part]));
  if (!made) return;
  addHistory(world, `the till: ${made.amount} of ${transaction.id} refunded, ${made.status}`);
  sendRefundEvent(world, made);
}
