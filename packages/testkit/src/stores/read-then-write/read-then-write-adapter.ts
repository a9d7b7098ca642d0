import {
  decimalText,
  type Environment,
  explainFinding,
  type Finding,
  findingKey,
  limits,
  type Order,
  type OrderRef,
  parseMoney,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  sameMoney,
} from "@tillkit/core";
import type { OrdersApi, RestOrder } from "./read-then-write-shop.ts";

export type ReadThenWriteConnection = {
  readonly storeId: string;
  readonly environment: Environment;
  readonly origin: string;
  readonly rest: OrdersApi;
  readonly now: () => number;
};

/** A note for the order's screen. Two notes with the same kind and key are written only once. */
type Note = { readonly kind: "hold" | "note" | "refund"; readonly key: string; readonly text: string };

/** The longest time that a request can stay in flight at such a shop. */
const SETTLE_AFTER_MS = 120_000;

/** Reads the order before and after each write, because the shop answers 200 to writes that change nothing. */
export function createReadThenWriteAdapter({
  storeId,
  environment,
  origin,
  rest,
  now,
}: ReadThenWriteConnection): StoreAdapter {
  async function read(ref: OrderRef): Promise<RestOrder | null> {
    return ref.storeId === storeId ? await rest.getOrder(ref.orderId) : null;
  }

  // Each method decides from what it reads first, so it sends nothing later than this.
  const latest = () => now() + limits.storeCallMs;

  async function markPaid({ ref, paymentId, total, alreadyPaid }: Receipt): Promise<StoreAnswer> {
    const sendBy = latest();
    const before = await read(ref);
    if (!before) return { outcome: "gone" };
    if (before.date_paid !== null) {
      const isAccepted = alreadyPaid === true && paidByOf(before) === "owner";
      return isAccepted ? await writePaymentId(before, paymentId, sendBy) : answerShown(before, paymentId, "already");
    }
    return await pay(before, { paymentId, total }, sendBy);
  }

  async function pay(
    before: RestOrder,
    { paymentId, total }: Pick<Receipt, "paymentId" | "total">,
    sendBy: number,
  ): Promise<StoreAnswer> {
    if (!isPayable(before)) return notPayable(before);
    if (!sameMoney(parseMoney(before.total, before.currency), total)) {
      return { outcome: "not-payable", why: { kind: "total_changed" } };
    }
    const patch = {
      // The shop pays an order on hold only if the same request also changes its status.
      ...(before.status === "on-hold" ? { status: "pending" as const } : {}),
      set_paid: true,
      payment_method: "tillkit",
      transaction_id: paymentId,
    } as const;
    await rest.putOrder(before.id, patch, sendBy);
    const after = await rest.getOrder(before.id);
    const isPaid = after !== null && after.date_paid !== null;
    return isPaid ? answerShown(after, paymentId, "recorded") : notPayable(after ?? before);
  }

  /**
   * Writes the payment's id to an order that the owner set to paid, and keeps the owner's status. A late hold of ours may have
   * overwritten that status; `date_paid` still shows the owner's decision.
   */
  async function writePaymentId(order: RestOrder, paymentId: string, sendBy: number): Promise<StoreAnswer> {
    const status = order.status === "on-hold" ? { status: "processing" as const } : {};
    await rest.putOrder(order.id, { ...status, transaction_id: paymentId }, sendBy);
    return answerShown((await rest.getOrder(order.id)) ?? order, paymentId, "recorded");
  }

  async function holdForReview(ref: OrderRef, _attempt: string, finding: Finding): Promise<void> {
    const sendBy = latest();
    const order = await read(ref);
    if (!order) return;
    await addNote(order, { kind: "hold", key: findingKey(finding), text: describeFinding(finding) }, sendBy);
    // Read the order again, because it may have been paid or cancelled while the note was written.
    const current = await read(ref);
    if (current?.status === "pending" || current?.status === "failed") {
      await rest.putOrder(order.id, { status: "on-hold" }, sendBy);
    }
  }

  // Notes of the shop have no field for the key, so the text ends with the key, and the notes are read before one is written.
  async function addNote(order: RestOrder, { kind, key, text }: Note, sendBy: number): Promise<void> {
    const ending = `[${kind} ${key}]`;
    const notes = await rest.listNotes(order.id);
    if (!notes.some((note) => note.endsWith(ending))) await rest.postNote(order.id, `${text} ${ending}`, sendBy);
  }

  return {
    platform: "miniature-read-then-write",
    writes: { kind: "read-then-write", settleAfterMs: SETTLE_AFTER_MS },
    findOrder: async (ref, attempt) => {
      const order = await read(ref);
      return order && orderOf(order, ref, attempt, environment);
    },
    markPaid,
    holdForReview,
    shopperUrl: async (ref, _attempt, outcome) =>
      `${origin}/order/${encodeURIComponent(ref.orderId)}?payment=${outcome}`,
    addNote: async (ref, key, text) => {
      const sendBy = latest();
      const order = await read(ref);
      if (order) await addNote(order, { kind: "note", key, text }, sendBy);
    },
    recordRefund: async ({ paymentId, refundId, ref, amount, status }) => {
      const sendBy = latest();
      const order = await read(ref);
      if (!order) return { outcome: "gone" };
      const refunds = await rest.listRefunds(order.id);
      if (refunds.some(({ reason }) => reason === refundId)) return { outcome: "already", evidence: "read-back" };
      const amountText = decimalText(amount);
      if (status === "failed") {
        await addNote(order, { kind: "refund", key: refundId, text: `A refund of ${amountText} failed.` }, sendBy);
      } else if (order.transaction_id === paymentId) {
        await rest.postRefund(order.id, { reason: refundId, amount: amountText }, sendBy);
      } else {
        const text = `A payment that did not pay this order was refunded: ${amountText}.`;
        await addNote(order, { kind: "note", key: `refund:${refundId}`, text }, sendBy);
      }
      return { outcome: "recorded", evidence: "acknowledged" };
    },
    listUnsettled: async function* listUnsettled(since) {
      for (const { id } of await rest.listUnpaid(since)) yield { ref: { storeId, orderId: id }, attempt: "" };
    },
  };
}

function orderOf(order: RestOrder, ref: OrderRef, attempt: string, environment: Environment): Order {
  return {
    ref,
    attempt,
    total: parseMoney(order.total, order.currency),
    title: order.name,
    language: order.lang,
    environment,
    payable: order.date_paid === null && isPayable(order),
    ...paidState(order),
  };
}

function paidState(order: RestOrder): Pick<Order, "paidBy" | "markedPaid"> {
  if (order.date_paid === null) return { paidBy: null };
  const paidBy = paidByOf(order);
  return paidBy === "owner" ? { paidBy, markedPaid: { by: "the shop's owner", at: order.date_paid } } : { paidBy };
}

function isPayable({ status }: RestOrder): boolean {
  return status === "pending" || status === "failed" || status === "on-hold";
}

function paidByOf(order: RestOrder): string {
  if (order.payment_method !== "tillkit") return "outside";
  return order.transaction_id === "" ? "owner" : order.transaction_id;
}

/** The answer for an order that shows a payment. `ownOutcome`: the outcome if the order shows this payment. */
function answerShown(order: RestOrder, paymentId: string, ownOutcome: "recorded" | "already"): StoreAnswer {
  const paidBy = paidByOf(order);
  if (paidBy === paymentId) return { outcome: ownOutcome, evidence: "read-back" };
  return { outcome: "other-payment", paidBy };
}

function notPayable({ status }: RestOrder): StoreAnswer {
  return { outcome: "not-payable", why: { kind: "order_state", state: status } };
}

function describeFinding(finding: Finding): string {
  return `Payment held for review: ${explainFinding(finding, "en")}`;
}
