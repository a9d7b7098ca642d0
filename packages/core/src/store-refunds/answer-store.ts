import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import type { StoreRefunds } from "../ports/store-refunds.ts";
import { syncRefunds } from "../refunds/sync-refunds.ts";
import { type AnswerLedger, storeAnswer } from "./repeated-request.ts";

/** What a store is told of a refund that was sent: its result, if the store shows no refund as pending. The time of the answer is stored. */
export async function answerStore(
  { engine, ledger }: { readonly engine: Engine; readonly ledger: AnswerLedger },
  { keys, pending }: Pick<StoreRefunds, "keys" | "pending">,
  { ref: { storeId } }: Payment,
  sent: Refund,
): Promise<Refund> {
  const { clock } = engine;
  let refund = sent;
  if (sent.state === "pending" && pending !== "shown") {
    const answerBy = clock.now() + pending.answerWithinMs;
    // A second click in another process of the store compares itself with this time.
    await storeAnswer(ledger, storeId, sent, answerBy);
    refund = await resultWithin(engine, sent, answerBy);
  }
  const isAccepted = refund.state === "completed" || refund.state === "pending";
  if (keys === "per-click" && isAccepted) await storeAnswer(ledger, storeId, refund, clock.now());
  return refund;
}

async function resultWithin(engine: Engine, sent: Refund, answerBy: number): Promise<Refund> {
  let refund = sent;
  while (refund.state === "pending" && engine.clock.now() < answerBy) {
    await engine.clock.sleep(limits.refundPollMs);
    const known = await syncRefunds(engine, sent.paymentId).catch(() => []);
    refund = known.find(({ key }) => key === sent.key) ?? refund;
  }
  return refund;
}
