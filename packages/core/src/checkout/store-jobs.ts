import { type Finding, sameFinding } from "../domain/finding.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { StoreAdapter } from "../ports/store-adapter.ts";
import type { Ended } from "./ended.ts";
import type { Engine } from "./engine.ts";
import { explainDuplicate } from "./explain-payment.ts";
import { learnRefunds } from "./learn-refunds.ts";
import { asOnlyWriter, stillOnlyWriter } from "./order-lease.ts";
import { resumeRefund } from "./refund-payment.ts";
import { askStore, findOrder, mustFind, storeErrorCode, writableAt } from "./store-calls.ts";
import { noteWrite } from "./store-write.ts";

/** Shows the owner a payment under review, unless there is nothing to show any more. */
export async function hold(engine: Engine, payment: Payment, finding: Finding): Promise<Ended> {
  // The owner decided, or a later reading said something else: nothing to hold any more.
  const isHeld = (current: Payment) => current.state === "review" && sameFinding(current.finding, finding);
  return await writeAlone(engine, payment, isHeld, (store, { ref, attempt }) =>
    store.holdForReview(ref, attempt, finding),
  );
}

/** Tells the store of a refund that it did not ask for itself; goes on with one whose outcome is not known yet. */
export async function followRefund(engine: Engine, payment: Payment, key: string): Promise<Ended> {
  const refund = await resumeRefund(engine, payment.id, key);
  if (refund?.state === "pending") await learnRefunds(engine, payment.id);
  const now = (await engine.ledger.refunds(payment.id)).find((one) => one.key === key);
  if (!now) return "done";
  const { refundId, state, origin, amount } = now;
  if (state !== "completed" && state !== "failed") {
    const waitMs = state === "pending" ? limits.refundCheckMs : 0;
    return { again: engine.clock.now() + waitMs, error: `${state}: the refund has no final answer yet.` };
  }
  if (origin === "store" || refundId === null) return "done";
  return await writeAlone(engine, payment, always, async (store, { ref, attempt }) => {
    await store.recordRefund?.({ refundId, ref, attempt, amount, status: state });
  });
}

const always = () => true;

// Every write to a store: one writer per order, and nobody writes while an older request may still land.
async function writeAlone(
  engine: Engine,
  payment: Payment,
  isWanted: (current: Payment) => boolean,
  write: (store: StoreAdapter, noted: Payment) => Promise<void>,
): Promise<Ended> {
  const ended = await asOnlyWriter(engine, payment.ref, async (fence): Promise<Ended> => {
    const store = await engine.store(payment.ref.storeId);
    const writable = writableAt(store, await engine.ledger.siblings(payment.ref));
    if (writable > engine.clock.now()) return { again: writable, error: "settling: an earlier write may still land." };
    const current = await mustFind(engine, payment.id);
    if (!isWanted(current)) return "done";
    const noted = (await stillOnlyWriter(engine, fence)) ? await noteWrite(engine, current, fence) : null;
    if (!noted) return { again: engine.clock.now(), error: "stale: the payment changed meanwhile." };
    try {
      await askStore(engine, write(store, noted));
    } catch (error) {
      if (storeErrorCode(error) !== "unknown") await free(engine, noted);
      throw error;
    }
    await free(engine, noted);
    return "done";
  });
  return (
    ended ?? { again: engine.clock.now() + limits.orderBusyMs, error: "busy: somebody else is writing this order." }
  );
}

// Whoever changed the payment meanwhile must not leave the note of a finished write behind.
async function free(engine: Engine, noted: Payment): Promise<void> {
  for (let round = 0; round < limits.commitRounds; round += 1) {
    const payment = await mustFind(engine, noted.id);
    if (payment.storeWriteAt !== noted.storeWriteAt) return;
    const next = { ...payment, storeWriteAt: null, version: payment.version + 1 };
    const answer = await engine.ledger.commit({ payment: { next, expect: payment.version }, story: [] });
    if (answer === "done") return;
  }
}

export async function noteDuplicate(engine: Engine, payment: Payment): Promise<Ended> {
  const store = await engine.store(payment.ref.storeId);
  if (!store.note) return "done";
  const order = await findOrder(engine, payment);
  const text = explainDuplicate(payment, order?.language ?? "en");
  await askStore(engine, store.note(payment.ref, `duplicate:${payment.id}`, text));
  return "done";
}

export async function tellPending(engine: Engine, payment: Payment): Promise<Ended> {
  const store = await engine.store(payment.ref.storeId);
  if (payment.state !== "open" || !store.markPending) return "done";
  // A wallet may confirm after the session lapsed: the platform must not give up before we do.
  const until = (payment.session?.expiresAt ?? engine.clock.now()) + limits.graceMs;
  await askStore(engine, store.markPending(payment.ref, payment.attempt, until));
  return "done";
}
