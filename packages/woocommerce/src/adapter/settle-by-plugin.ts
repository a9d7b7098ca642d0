import { type Receipt, type StoreAnswer, StoreError } from "@tillkit/core";
import { z } from "zod";
import { SIGNATURE_INVALID } from "../protocol/names.ts";
import { gone, otherPayment, transactionOf } from "./answers.ts";
import type { WooOrder } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";

const schema = z.object({
  outcome: z.enum(["recorded", "already", "other-payment", "not-payable", "gone"]),
  order: z.string(),
  payment: z.string(),
  fence: z.number(),
  /** A plugin of an older version does not know the word, and leaves it out. */
  already_paid: z.boolean().optional(),
  status: z.string().nullable(),
  date_paid: z.number().nullable(),
  paid_by: z.string().nullable(),
});

/**
 * The plugin's route `settle`: under a lock of the shop's database, on the condition that the order still is as it was read.
 * Null: there is no such route here, or a plugin that cannot name the payment of an order that was set to paid by hand, and
 * the shop may be written otherwise.
 */
export async function settleByPlugin(shop: WooShop, before: WooOrder, receipt: Receipt): Promise<StoreAnswer | null> {
  const order = String(before.id);
  const { paymentId: payment, fence } = receipt;
  const { order_key: key, total: amount, currency } = before;
  const transaction = transactionOf(receipt);
  const flag = receipt.alreadyPaid ? { already_paid: true } : {};
  const body = { order, key, amount, currency, payment, transaction, fence, ...flag };
  const reply = await shop.plugin.call("settle", body);
  if (reply.say === "closed") {
    if (shop.settleBy === "auto") return null;
    throw new StoreError("reconnect", closedSentence(reply.code));
  }
  if (reply.status !== 200) throw troubleOf(reply.status, reply.code);
  const read = schema.safeParse(reply.body);
  if (!read.success || read.data.order !== order || read.data.payment !== payment || read.data.fence !== fence) {
    throw new StoreError(
      "unknown",
      "The plugin's answer is not about this payment: exclude /wp-json/ from every cache.",
    );
  }
  const isTooOld = receipt.alreadyPaid && read.data.already_paid !== true && read.data.outcome === "other-payment";
  return isTooOld ? null : answerOf(read.data, payment);
}

const holdSchema = z.object({ outcome: z.enum(["held", "kept", "gone"]), order: z.string() });

/** The plugin's route `hold`. False: there is no such route here. */
export async function holdByPlugin(shop: WooShop, before: WooOrder): Promise<boolean> {
  const order = String(before.id);
  const reply = await shop.plugin.call("hold", { order, key: before.order_key });
  if (reply.say === "closed") return false;
  if (reply.status !== 200) throw troubleOf(reply.status, reply.code);
  const read = holdSchema.safeParse(reply.body);
  if (read.success && read.data.order === order) return true;
  throw new StoreError("unknown", "The plugin's answer is not about this order: exclude /wp-json/ from every cache.");
}

function answerOf(settled: z.infer<typeof schema>, payment: string): StoreAnswer {
  const { outcome, order, status, paid_by: paidBy, date_paid: datePaid } = settled;
  if (outcome === "gone") return gone(order);
  if (outcome === "not-payable")
    return { outcome, detail: `Order ${order} is "${status}", or was edited a moment ago.` };
  if (outcome === "other-payment") return otherPayment({ id: order }, paidBy);
  if (datePaid !== null && paidBy === payment) return { outcome, evidence: "read-back" };
  throw new StoreError("unknown", `The plugin says that order ${order} is paid, and does not show the payment.`);
}

/** What a closed door means, and what to do. */
export function closedSentence(code: string | null): string {
  if (code === SIGNATURE_INVALID) {
    return "The plugin does not accept our signature: give companion and plugin the same store id and link secret.";
  }
  if (code === "rest_no_route") return "The shop has no Tillkit routes: activate the plugin Tillkit Checkout.";
  return "Something in front of the plugin keeps us out: let /wp-json/tillkit/ through the firewall or security plugin.";
}

function troubleOf(status: number, code: string | null): StoreError {
  const message = `The plugin answered ${status} ${code ?? ""}`.trim();
  const nothingWasDone = status < 500 || code === "tillkit_busy" || code === "tillkit_not_recorded";
  return nothingWasDone
    ? new StoreError("unavailable", `${message}: it is told again.`)
    : new StoreError("unknown", `${message}: it may have done what it was asked.`);
}
