import { codeOf, type Receipt, type StoreAnswer, StoreError, sameMoney } from "@tillkit/core";
import { type Collection, readCollection, totalOf } from "../shop/collection.ts";
import { type MedusaContainer, paymentsOf, workflowsOf } from "../shop/medusa-container.ts";
import { isGivenUp } from "../shop/order.ts";
import { ACCEPTED, proofOf, sessionOf } from "../shop/proof.ts";
import { type NotPayable, wordsOf } from "./words.ts";

/** What Medusa runs for a webhook of its own: authorizes the session, captures, completes the cart. */
const PROCESS_PAYMENT = "process-payment-workflow";

/**
 * Lets Medusa complete the cart. Medusa takes its lock on the cart and asks our provider, which reads the service; what
 * counts afterwards is what Medusa shows, whatever the workflow said.
 */
export async function markPaid(container: MedusaContainer, storeId: string, receipt: Receipt): Promise<StoreAnswer> {
  const { ref, attempt, paymentId } = receipt;
  const before = ref.storeId === storeId ? await readCollection(container, ref.orderId) : null;
  if (!before) return gone(ref.orderId);
  if (receipt.alreadyPaid && isSetToPaid(before)) return await nameAccepted(container, before, paymentId);
  const refusal = shown(before, paymentId, "already") ?? (await refusalOf(container, before, receipt));
  if (refusal) return refusal;
  const trouble = await processPayment(container, attempt, sessionOf(before, attempt)?.amount);
  const after = await readCollection(container, ref.orderId);
  if (!after) return gone(ref.orderId);
  const answer = shown(after, paymentId, "recorded") ?? (await refusalOf(container, after, receipt));
  if (answer) return answer;
  throw new StoreError("unavailable", `Medusa did not complete the cart (${trouble ?? "no order was made"}).`);
}

async function refusalOf(
  container: MedusaContainer,
  collection: Collection,
  { attempt, total, alreadyPaid }: Receipt,
): Promise<StoreAnswer | null> {
  if (await isGivenUp(container, collection)) return notPayable("canceled");
  // The owner's decision was there when this payment was judged, and is gone: it has to be judged anew.
  if (alreadyPaid) throw new StoreError("unavailable", "The order is no longer set to paid.");
  if (!sessionOf(collection, attempt)) return notPayable("changed");
  if (!sameMoney(totalOf(collection), total)) return notPayable("repriced");
  return null;
}

function isSetToPaid(collection: Collection): boolean {
  const proof = proofOf(collection);
  return proof === "owner" || proof === "unclear";
}

/** Medusa holds the money already, under its own provider: our payment is named beside it, and nothing is captured. */
async function nameAccepted(
  container: MedusaContainer,
  collection: Collection,
  paymentId: string,
): Promise<StoreAnswer> {
  if (await isGivenUp(container, collection)) return notPayable("canceled");
  const metadata = { ...collection.metadata, [ACCEPTED]: paymentId };
  const change = { currency_code: collection.currencyCode, metadata };
  try {
    await paymentsOf(container).updatePaymentCollections(collection.id, change);
  } catch (cause) {
    throw new StoreError("unknown", "Medusa did not keep the payment's id.", { cause });
  }
  const after = await readCollection(container, collection.id);
  const answer = after && shown(after, paymentId, "recorded");
  if (answer) return answer;
  throw new StoreError("unknown", "Medusa kept the payment's id, and does not show it yet.");
}

function shown(collection: Collection, paymentId: string, own: "recorded" | "already"): StoreAnswer | null {
  const proof = proofOf(collection);
  if (proof === null) return null;
  if (proof === paymentId) return { outcome: own, evidence: "read-back" };
  // Money that may be this very payment's is not called a second payment: it is judged anew, and held.
  if (proof === "unclear") throw new StoreError("unavailable", "Medusa cannot tell by what this is paid.");
  return { outcome: "other-payment", detail: `${collection.orderId ?? collection.id} shows the payment ${proof}.` };
}

// Its errors are sentences for developers, sometimes with a row in them: a code is all we repeat.
async function processPayment(container: MedusaContainer, sessionId: string, amount: unknown): Promise<string | null> {
  try {
    const input = { action: "captured", data: { session_id: sessionId, amount } };
    await workflowsOf(container).run(PROCESS_PAYMENT, { input });
    return null;
  } catch (error) {
    return error instanceof Error && "type" in error ? String(error.type) : codeOf(error);
  }
}

function gone(id: string): StoreAnswer {
  return { outcome: "gone", detail: `Medusa has no payment collection ${id}.` };
}

function notPayable(why: NotPayable): StoreAnswer {
  return { outcome: "not-payable", detail: wordsOf("en").notPayable[why] };
}
