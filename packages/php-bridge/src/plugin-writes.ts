import { decimalText, type Receipt, type RefundToRecord, type StoreAnswer, StoreError } from "@tillkit/core";
import { z } from "zod";
import type { DecisionReason } from "./decisions/decision-reasons.ts";
import { bridgeLimits } from "./limits.ts";
import { noteMarker, type OrderNote } from "./notes/order-note.ts";
import type { OrderName } from "./orders/plugin-orders.ts";
import type { PluginPlace, PluginReply, PluginRoutes } from "./transport/plugin-routes.ts";

/** An order as it was read. The plugin compares it under its lock before it writes. */
export type ReadOrder = OrderName & {
  /** The exact total. */
  readonly amount: string;
  readonly currency: string;
};

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
 * Marks the order paid under a lock of the shop, if the order did not change since it was read. `notPayable`: what a refused order is called,
 * by its status on the platform. Null for an outdated plugin, which cannot record the payment of an order that was set to paid by hand.
 * @throws StoreError `reconnect` when the plugin cannot be reached: nothing was changed
 */
export async function markPaidByPlugin(
  plugin: PluginRoutes,
  { id: order, key, amount, currency }: ReadOrder,
  receipt: Receipt,
  notPayable: (status: string | null) => StoreAnswer,
): Promise<StoreAnswer | null> {
  const { paymentId: payment, fence, environment } = receipt;
  const transaction = transactionReference(receipt);
  const acceptedField = receipt.alreadyPaid ? { already_paid: true } : {};
  const providerField = receipt.provider === undefined ? {} : { provider: receipt.provider };
  const returnedField = receipt.returned === undefined ? {} : { returned: newestOf(receipt.returned) };
  const write = { payment, transaction, fence, environment, ...acceptedField, ...providerField, ...returnedField };
  const body = { order, key, amount, currency, ...write };
  const answer = markPaidSchema.safeParse(successOf(await plugin.call("mark-paid", body)));
  if (
    !answer.success ||
    answer.data.order !== order ||
    answer.data.payment !== payment ||
    answer.data.fence !== fence
  ) {
    throw otherAnswer(plugin.place, "payment");
  }
  const { data } = answer;
  // An outdated plugin does not know the field `already_paid`, and sees an order that something else has paid.
  const isPluginOutdated = receipt.alreadyPaid && data.already_paid !== true && data.outcome === "other-payment";
  return isPluginOutdated ? null : toStoreAnswer(data, payment, notPayable);
}

function newestOf(returned: readonly string[]): readonly string[] {
  return returned.slice(-bridgeLimits.returnedPayments);
}

/** Asks the plugin whether it is there, without an order. @throws StoreError `reconnect` when it is not */
export async function assertPluginReachable(plugin: PluginRoutes): Promise<void> {
  const reply = await plugin.call("ping", {});
  if (reply.kind === "unreachable") throw new StoreError("reconnect", reply.message);
}

const holdSchema = z.object({ outcome: z.enum(["held", "unchanged", "gone"]), order: z.string() });

/** Puts the order on hold if it waits for its payment. @throws StoreError `reconnect` when the plugin cannot be reached */
export async function holdByPlugin(plugin: PluginRoutes, { id: order, key }: OrderName): Promise<void> {
  const answer = holdSchema.safeParse(successOf(await plugin.call("hold", { order, key })));
  if (!answer.success || answer.data.order !== order) throw otherAnswer(plugin.place, "order");
}

const noteSchema = z.object({
  outcome: z.enum(["recorded", "already", "gone"]),
  order: z.string(),
  marker: z.string(),
});

/** Adds a note unless the order has it. @throws StoreError `reconnect` when the plugin cannot be reached */
export async function noteByPlugin(
  plugin: PluginRoutes,
  { id: order, key }: OrderName,
  note: OrderNote,
): Promise<void> {
  const [marker, text] = [noteMarker(note), note.text.slice(0, bridgeLimits.noteCharacters)];
  const { attention } = note;
  const answer = noteSchema.safeParse(successOf(await plugin.call("note", { order, key, marker, text, attention })));
  if (!answer.success || answer.data.order !== order || answer.data.marker !== marker)
    throw otherAnswer(plugin.place, "note");
}

const decisionSchema = z.object({ outcome: z.enum(["shown", "gone"]), order: z.string() });

/** Shows the owner why money of the order waits for a decision. @throws StoreError `reconnect` when the plugin cannot be reached */
export async function showDecisionByPlugin(
  plugin: PluginRoutes,
  { id: order, key }: OrderName,
  reasons: readonly DecisionReason[],
): Promise<void> {
  const answer = decisionSchema.safeParse(successOf(await plugin.call("decision", { order, key, reasons })));
  if (!answer.success || answer.data.order !== order) throw otherAnswer(plugin.place, "order");
}

const closeSchema = z.object({ outcome: z.enum(["closed", "unchanged", "gone"]), order: z.string() });

/**
 * Closes an order that still waits for its payment: stock and vouchers are given back. `returned`: its payments whose money has gone back, which
 * no longer keep it open. @returns whether it was closed now @throws StoreError `reconnect` when the plugin cannot be reached
 */
export async function closeOrderByPlugin(
  plugin: PluginRoutes,
  { id: order, key }: OrderName,
  returned: readonly string[],
): Promise<boolean> {
  const body = { order, key, returned: newestOf(returned) };
  const answer = closeSchema.safeParse(successOf(await plugin.call("close-order", body)));
  if (!answer.success || answer.data.order !== order) throw otherAnswer(plugin.place, "order");
  return answer.data.outcome === "closed";
}

const recordRefundSchema = z.object({
  outcome: z.enum(["recorded", "already", "refused", "gone"]),
  order: z.string(),
  refund: z.string(),
});

/**
 * Records a refund that the service has made, unless the order shows it. `refused`: the shop does not accept the refund.
 * @throws StoreError `reconnect` when the plugin cannot be reached
 */
export async function recordRefundByPlugin(
  plugin: PluginRoutes,
  { id: order, key }: OrderName,
  { reason, ...toRecord }: RefundToRecord & { readonly reason: string },
): Promise<StoreAnswer | "refused"> {
  const { paymentId: payment, key: refund_key, amount: money } = toRecord;
  const [refund, amount] = [refundReference(toRecord), decimalText(money)];
  const body = { order, key, payment, refund, refund_key, amount, currency: money.currency, reason };
  const answer = recordRefundSchema.safeParse(successOf(await plugin.call("record-refund", body)));
  if (!answer.success || answer.data.order !== order || answer.data.refund !== refund)
    throw otherAnswer(plugin.place, "refund");
  const { outcome } = answer.data;
  if (outcome === "gone") return ORDER_GONE;
  return outcome === "refused" ? outcome : { outcome, evidence: "read-back" };
}

/** The transaction id of the order: the service's transaction, or its session while the transaction is unknown. */
export function transactionReference({ transactionId, sessionId }: Receipt): string {
  return transactionId ?? sessionId;
}

/** The refund's id at the service; its key while the service has not returned an id. */
export function refundReference({ refundId, key }: Pick<RefundToRecord, "refundId" | "key">): string {
  return refundId === "" ? key : refundId;
}

export const ORDER_GONE: StoreAnswer = { outcome: "gone" };

/** The body of a successful answer. @throws StoreError for every other answer */
function successOf(reply: PluginReply): object {
  if (reply.kind === "unreachable") throw new StoreError("reconnect", reply.message);
  if (reply.status !== 200) throw toStoreError(reply.status, reply.code);
  return reply.body;
}

function otherAnswer({ name }: PluginPlace, about: string): StoreError {
  return new StoreError("unknown", `The plugin's answer is not about this ${about}: exclude ${name} from every cache.`);
}

function toStoreAnswer(
  answer: z.infer<typeof markPaidSchema>,
  payment: string,
  notPayable: (status: string | null) => StoreAnswer,
): StoreAnswer {
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
