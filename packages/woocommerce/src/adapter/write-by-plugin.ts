import { type Receipt, type StoreAnswer, StoreError } from "@tillkit/core";
import { z } from "zod";
import type { WooOrder } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";
import { unreachableMessage } from "../transport/plugin-routes.ts";
import { notPayable, ORDER_GONE, transactionReference } from "./store-answers.ts";

const markPaidSchema = z.object({
  outcome: z.enum(["recorded", "already", "other-payment", "not-payable", "gone"]),
  order: z.string(),
  payment: z.string(),
  fence: z.number(),
  /** Missing in the answer of an outdated plugin. */
  already_paid: z.boolean().optional(),
  status: z.string().nullable(),
  date_paid: z.number().nullable(),
  paid_by: z.string().nullable(),
});

/**
 * Calls the plugin's route `mark-paid`, which marks the order paid under a lock of the shop's database if the order did not change
 * since it was read. Null if the REST API must be used: the route cannot be reached, or an outdated plugin cannot record the
 * payment of an order that was set to paid by hand.
 */
export async function markPaidByPlugin(
  store: WooStore,
  before: WooOrder,
  receipt: Receipt,
): Promise<StoreAnswer | null> {
  const order = String(before.id);
  const { paymentId: payment, fence, environment } = receipt;
  const { order_key: key, total: amount, currency } = before;
  const transaction = transactionReference(receipt);
  const acceptedField = receipt.alreadyPaid ? { already_paid: true } : {};
  const body = { order, key, amount, currency, payment, transaction, fence, environment, ...acceptedField };
  const reply = await store.plugin.call("mark-paid", body);
  if (reply.kind === "unreachable") {
    if (store.writeOrdersBy === "auto") return null;
    throw new StoreError("reconnect", unreachableMessage(reply.code));
  }
  if (reply.status !== 200) throw toStoreError(reply.status, reply.code);
  const parsed = markPaidSchema.safeParse(reply.body);
  if (
    !parsed.success ||
    parsed.data.order !== order ||
    parsed.data.payment !== payment ||
    parsed.data.fence !== fence
  ) {
    throw new StoreError(
      "unknown",
      "The plugin's answer is not about this payment: exclude /wp-json/ from every cache.",
    );
  }
  const { data } = parsed;
  // An outdated plugin does not know the field `already_paid`, and sees an order that something else has paid.
  const isPluginOutdated = receipt.alreadyPaid && data.already_paid !== true && data.outcome === "other-payment";
  return isPluginOutdated ? null : toStoreAnswer(data, payment);
}

/** Asks the plugin whether it is there, without an order. @throws StoreError `reconnect` when it is not */
export async function assertPluginReachable(store: WooStore): Promise<void> {
  const reply = await store.plugin.call("ping", {});
  if (reply.kind === "unreachable") throw new StoreError("reconnect", unreachableMessage(reply.code));
}

const holdSchema = z.object({ outcome: z.enum(["held", "unchanged", "gone"]), order: z.string() });

/** Calls the plugin's route `hold`. False if the route cannot be reached. */
export async function holdByPlugin(store: WooStore, before: WooOrder): Promise<boolean> {
  const order = String(before.id);
  const reply = await store.plugin.call("hold", { order, key: before.order_key });
  if (reply.kind === "unreachable") return false;
  if (reply.status !== 200) throw toStoreError(reply.status, reply.code);
  const parsed = holdSchema.safeParse(reply.body);
  if (parsed.success && parsed.data.order === order) return true;
  throw new StoreError("unknown", "The plugin's answer is not about this order: exclude /wp-json/ from every cache.");
}

const noteSchema = z.object({
  outcome: z.enum(["recorded", "already", "gone"]),
  order: z.string(),
  marker: z.string(),
});

/** Calls the plugin's route `note`, which adds a note unless one with this marker exists. False if the route cannot be reached. */
export async function noteByPlugin(
  store: WooStore,
  before: WooOrder,
  note: { readonly marker: string; readonly text: string },
): Promise<boolean> {
  const order = String(before.id);
  const reply = await store.plugin.call("note", { order, key: before.order_key, ...note });
  if (reply.kind === "unreachable") return false;
  if (reply.status !== 200) throw toStoreError(reply.status, reply.code);
  const parsed = noteSchema.safeParse(reply.body);
  if (parsed.success && parsed.data.order === order && parsed.data.marker === note.marker) return true;
  throw new StoreError("unknown", "The plugin's answer is not about this note: exclude /wp-json/ from every cache.");
}

const recordRefundSchema = z.object({
  outcome: z.enum(["recorded", "already", "refused", "gone"]),
  order: z.string(),
  refund: z.string(),
});

/**
 * Calls the plugin's route `record-refund`, which records a refund unless the order shows it. `refused`: WooCommerce does not accept the
 * refund. Null if the REST API must be used, because the route cannot be reached.
 */
export async function recordRefundByPlugin(
  store: WooStore,
  before: WooOrder,
  refund: Readonly<Record<"payment" | "refund" | "refund_key" | "amount" | "currency" | "reason", string>>,
): Promise<StoreAnswer | "refused" | null> {
  const order = String(before.id);
  const reply = await store.plugin.call("record-refund", { order, key: before.order_key, ...refund });
  if (reply.kind === "unreachable") {
    if (store.writeOrdersBy === "auto") return null;
    // Over the REST API a late request would record the refund twice.
    throw new StoreError("reconnect", unreachableMessage(reply.code));
  }
  if (reply.status !== 200) throw toStoreError(reply.status, reply.code);
  const parsed = recordRefundSchema.safeParse(reply.body);
  if (!parsed.success || parsed.data.order !== order || parsed.data.refund !== refund.refund) {
    throw new StoreError(
      "unknown",
      "The plugin's answer is not about this refund: exclude /wp-json/ from every cache.",
    );
  }
  const { outcome } = parsed.data;
  if (outcome === "gone") return ORDER_GONE;
  return outcome === "refused" ? outcome : { outcome, evidence: "read-back" };
}

function toStoreAnswer(answer: z.infer<typeof markPaidSchema>, payment: string): StoreAnswer {
  const { outcome, order, status, paid_by: paidBy, date_paid: datePaid } = answer;
  if (outcome === "gone") return ORDER_GONE;
  if (outcome === "not-payable") return notPayable(status);
  if (outcome === "other-payment") return { outcome, paidBy };
  if (datePaid !== null && paidBy === payment) return { outcome, evidence: "read-back" };
  throw new StoreError(
    "unknown",
    `The plugin answered that order ${order} is paid, but the order does not show the payment.`,
  );
}

function toStoreError(status: number, code: string | null): StoreError {
  const message = `The plugin answered ${status} ${code ?? ""}`.trim();
  const isRejected = status < 500 || code === "tillkit_busy" || code === "tillkit_not_recorded";
  return isRejected
    ? new StoreError("unavailable", `${message}: nothing was changed, and the write is tried again.`)
    : new StoreError("unknown", `${message}: it may have applied the write.`);
}
