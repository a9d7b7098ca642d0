import { paymentsOfLeasedOrder } from "../confirm/confirm-payment.ts";
import { commitWriteIntent } from "../confirm/write-paid.ts";
import { BUSY, WRITE_IN_FLIGHT } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Language } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { getPayment, updatePayment } from "../payments/stored-payment.ts";
import type { StoreAdapter, WritingMember } from "../ports/store-adapter.ts";
import {
  assertNotRefused,
  earliestWriteAt,
  readOrder,
  storeErrorCode,
  writeSettlesAt,
  writeToStore,
} from "../stores/call-store.ts";
import { renewOrderLease, withOrderLease } from "../stores/leases.ts";
import { type JobResult, readAgain } from "./job-result.ts";

/**
 * Writes to a store as the only writer of the order, and not while an earlier request may still be in flight. `stillApplies` is asked
 * under the lease.
 */
export async function writeUnderLease(
  engine: Engine,
  payment: Payment,
  member: WritingMember,
  stillApplies: (current: Payment) => boolean | Promise<boolean>,
  write: (store: StoreAdapter, current: Payment) => Promise<void>,
): Promise<JobResult> {
  const result = await withOrderLease(engine, payment.ref, async (fence): Promise<JobResult> => {
    const store = await engine.store(payment.ref.storeId);
    const writableAt = await earliestWriteAt(engine, store, member, await paymentsOfLeasedOrder(engine, store, fence));
    if (writableAt > engine.clock.now()) return { retryAt: writableAt, error: WRITE_IN_FLIGHT };
    const current = await getPayment(engine, payment.id);
    if (!(await stillApplies(current))) return "done";
    await assertNotRefused(engine, current, "write");
    const withIntent = (await renewOrderLease(engine, fence)) ? await commitWriteIntent(engine, current, fence) : null;
    if (!withIntent) return readAgain(engine, "The payment changed in the meantime.");
    try {
      await writeToStore(engine, withIntent, "write", () => write(store, withIntent));
    } catch (error) {
      if (storeErrorCode(error) !== "unknown") await endWriteIntent(engine, store, withIntent, current);
      throw error;
    }
    await endWriteIntent(engine, store, withIntent, current);
    return "done";
  });
  return result ?? { retryAt: engine.clock.now() + limits.orderBusyRetryMs, error: BUSY };
}

/** A note on an order. The order gets it once for each `key`. */
type Note = {
  readonly key: string;
  readonly explain: (language: Language) => string;
  readonly stillApplies: (current: Payment) => boolean | Promise<boolean>;
};

/** Adds a note to the order, in the order's language, where the store takes notes. */
export async function noteUnderLease(
  engine: Engine,
  payment: Payment,
  { key, explain, stillApplies }: Note,
): Promise<JobResult> {
  const store = await engine.store(payment.ref.storeId);
  if (!store.addNote) return "done";
  const order = await readOrder(engine, payment);
  const text = explain(order?.language ?? "en");
  return await writeUnderLease(engine, payment, "addNote", stillApplies, async (_store, { ref }) =>
    store.addNote?.(ref, key, text),
  );
}

// Ends the intent of a finished write even if another process changed the payment in the meantime. An earlier write without an answer may
// mark the order paid for a while: this one says nothing about it. Once a payment is recorded, none of its writes does.
async function endWriteIntent(
  engine: Engine,
  store: StoreAdapter,
  withIntent: Payment,
  before: Payment,
): Promise<void> {
  const settlesAt = writeSettlesAt(store, before);
  const isUnderWay = before.state !== "recorded" && settlesAt !== null && engine.clock.now() < settlesAt;
  await updatePayment(engine, withIntent.id, ({ storeWriteAt }) =>
    storeWriteAt === withIntent.storeWriteAt
      ? { change: { storeWriteAt: isUnderWay ? before.storeWriteAt : null } }
      : null,
  );
}
