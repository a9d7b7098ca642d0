import { amountPaid, codeOf, type Payment, type Refund, refundPayment } from "@tillkit/core";
import { readCollection } from "../shop/collection.ts";
import { isGivenUp } from "../shop/order.ts";
import type { Till } from "../till/open-till.ts";
import { assertUnderWay } from "./refund.ts";
import { notAllowed } from "./refusal.ts";

/**
 * Medusa cancels a payment in two very different moments: an order was given up, or its own database failed right after the
 * payment arrived. So the order is looked at first: only money of an order that Medusa itself shows as canceled goes back,
 * and everything else is left to the timer, which tells Medusa again.
 * @throws MedusaError with a sentence when the money is still here, or nobody knows yet
 */
export async function cancel(till: Till, payment: Payment): Promise<void> {
  const known = await till.ledger.refunds(payment.id);
  const asked = known.filter(({ key }) => key.startsWith(keyOf(payment)));
  const arrived = payment.state === "verified" || payment.state === "recorded" || asked.length > 0;
  if (!arrived || !(await isAbandoned(till, payment))) {
    till.log.info("cancel.left_alone", { paymentId: payment.id, state: payment.state });
    return;
  }
  try {
    assertUnderWay(await giveBackTheRest(till, payment, { known, asked }));
  } catch (error) {
    till.log.warn("cancel.not_given_back", { paymentId: payment.id, code: codeOf(error) });
    throw error;
  }
}

function keyOf({ id }: Payment): string {
  return `medusa:cancel:${id}`;
}

type Refunds = { readonly known: readonly Refund[]; readonly asked: readonly Refund[] };

// Each failure makes room for one new try under a new key; every other call repeats the last one.
async function giveBackTheRest({ engine }: Till, payment: Payment, { known, asked }: Refunds): Promise<Refund | null> {
  if (known.some((refund) => !asked.includes(refund) && isInDoubt(refund))) throw notAllowed("refundUnknown");
  const last = asked.find(({ state }) => state !== "failed");
  const minor = last?.amount.minor ?? amountPaid(payment).minor - onItsWay(known);
  if (minor <= 0) return null;
  const key = last?.key ?? (asked.length === 0 ? keyOf(payment) : `${keyOf(payment)}:${asked.length + 1}`);
  const amount = { minor, currency: payment.amountDue.currency };
  return await refundPayment(engine, { paymentId: payment.id, key, amount, origin: "store" });
}

function isInDoubt({ state }: Refund): boolean {
  return state === "asked" || state === "unknown";
}

function onItsWay(refunds: readonly Refund[]): number {
  return refunds.filter(({ state }) => state !== "failed").reduce((sum, { amount }) => sum + amount.minor, 0);
}

async function isAbandoned({ container }: Till, { ref }: Payment): Promise<boolean> {
  const collection = await readCollection(container, ref.orderId);
  return collection !== null && (await isGivenUp(container, collection));
}
