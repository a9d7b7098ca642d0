import type { NewJob } from "../domain/job.ts";
import { deliveryJob } from "../domain/job-task.ts";
import { hasCertainlyPaid, type PaidTransaction } from "../domain/movement.ts";
import type { Engine } from "../engine.ts";

/**
 * The jobs that process again what events said of these transactions before anything tied them to a payment. Only names that became
 * certain are looked for: events of a refund or a dispute may name the transaction alone, by its id or by its code.
 */
export async function unmatchedDeliveryJobs(
  engine: Engine,
  before: readonly PaidTransaction[],
  after: readonly PaidTransaction[],
): Promise<readonly NewJob[]> {
  const known = new Set(namesOf(before));
  const deliveries = await unmatchedDeliveries(
    engine,
    namesOf(after).filter((name) => !known.has(name)),
  );
  const dueAt = engine.clock.now();
  return deliveries.map((delivery) => deliveryJob(delivery, dueAt));
}

/** Whether events about these transactions are still to be processed again. */
export async function hasUnmatchedDeliveries(
  engine: Engine,
  transactions: readonly PaidTransaction[],
): Promise<boolean> {
  return (await unmatchedDeliveries(engine, namesOf(transactions))).length > 0;
}

async function unmatchedDeliveries({ ledger }: Engine, names: readonly string[]) {
  return names.length === 0 ? [] : await ledger.unmatchedDeliveries(names);
}

function namesOf(transactions: readonly PaidTransaction[]): readonly string[] {
  return transactions.filter(hasCertainlyPaid).flatMap(({ id, code }) => (code === null ? [id] : [id, code]));
}
