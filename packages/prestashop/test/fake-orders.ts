import { decimalText, type Language, type Money } from "@tillkit/core";

/** An order of the fake shop. `state`: the module's words. `isRecorded`: the payment that `paymentId` names was written to its end. */
export type FakeOrder = {
  readonly id: string;
  key: string;
  total: Money;
  state: "waiting" | "review" | "paid" | "shipped" | "cancelled";
  module: "tillkit" | "ps_wirepayment";
  paymentId: string | null;
  isRecorded: boolean;
  /** Whether a state that counts as paid is in its history. */
  hasBeenPaid: boolean;
  markedBy: { readonly by: string; readonly at: number } | null;
  fence: { readonly value: number; readonly at: number } | null;
  readonly title: string;
  readonly language: Language;
  readonly notes: { readonly marker: string; readonly text: string }[];
  readonly refunds: { readonly names: readonly string[]; readonly amount: string }[];
  reasons: readonly string[];
  attention?: string;
  /** Payment rows by transaction, as the shop counts money, and how often a payment of ours set the order to paid. */
  readonly rows: string[];
  timesPaid: number;
  changed: number;
  returnUrl: string;
};

export type Body = Readonly<Record<string, unknown>>;
export type Answer = { readonly status: number; readonly body: object };

/** For how long after a write an older writer is refused. */
const FENCE_SECONDS = 600;
/** Rows of one page: few, so that a short list has several pages. */
const PAGE_ROWS = 2;

/** A payment that was claimed and not recorded to its end counts: its next call ends it. */
function paidByOf({ paymentId, hasBeenPaid, module, markedBy }: FakeOrder): string | null {
  if (paymentId !== null) return paymentId;
  if (!hasBeenPaid) return null;
  if (module !== "tillkit") return "outside";
  return markedBy === null ? "unclear" : "owner";
}

export function errorAnswer(status: number, code: string, data: object = {}): Answer {
  return { status, body: { code: `tillkit_${code}`, message: "A sentence.", data: { status, ...data } } };
}

/** The caller holds the lock of the order. `dies`: the process ends after it has claimed the order for its payment. */
export function markPaid(order: FakeOrder | undefined, body: Body, now: number, dies: boolean): Answer {
  if (!order || order.key !== body.key) return markPaidAnswer("gone", body, null, now);
  const paidBy = paidByOf(order);
  const isOurs = paidBy === body.payment;
  const isAccepted = body.already_paid === true && (paidBy === "owner" || paidBy === "unclear");
  if (isOurs && order.isRecorded) return markPaidAnswer("already", body, order, now);
  const isGivenUp = !order.isRecorded && [body.returned].flat().includes(order.paymentId);
  if (paidBy !== null && !isOurs && !isAccepted && !isGivenUp) return markPaidAnswer("other-payment", body, order, now);
  const refused = refuse(order, body, now, isAccepted || isOurs);
  if (refused) return refused;
  order.paymentId = String(body.payment);
  order.fence = { value: Number(body.fence), at: now };
  if (dies) throw new Error("The process ends here.");
  // A row of this transaction that a dead call has added already is not added again.
  if (!order.rows.includes(String(body.transaction))) order.rows.push(String(body.transaction));
  if (!order.hasBeenPaid) order.timesPaid += 1;
  if (isOpen(order)) order.state = "paid";
  Object.assign(order, { hasBeenPaid: true, isRecorded: true, changed: now });
  return markPaidAnswer("recorded", body, order, now);
}

function refuse(order: FakeOrder, body: Body, now: number, mayBePaid: boolean): Answer | null {
  const { fence: last, total } = order;
  const isOlder = last !== null && last.value > Number(body.fence) && now - last.at < FENCE_SECONDS;
  if (isOlder) return errorAnswer(409, "older_writer");
  const isSameTotal = Number(body.amount) === Number(decimalText(total)) && body.currency === total.currency;
  if (!isSameTotal || !(mayBePaid || isOpen(order))) return markPaidAnswer("not-payable", body, order, now);
  return body.already_paid === true && !mayBePaid ? errorAnswer(409, "not_set_to_paid") : null;
}

function markPaidAnswer(outcome: string, body: Body, shown: FakeOrder | null, now: number): Answer {
  const { order, payment, fence, already_paid = false } = body;
  const date_paid = shown?.hasBeenPaid ? now : null;
  const status = shown?.state ?? null;
  const paid_by = shown && paidByOf(shown);
  return { status: 200, body: { outcome, order, payment, fence, already_paid, status, date_paid, paid_by } };
}

function isOpen({ state }: FakeOrder): boolean {
  return state === "waiting" || state === "review";
}

/** The other writes by purpose, each with its outcome. The caller holds the lock of the order. */
export const WRITES: Readonly<Record<string, (order: FakeOrder, body: Body) => string | Answer>> = {
  hold: (order) => leaveWaiting(order, "review", "held"),
  "close-order"(order, { returned }) {
    if (!order.isRecorded && [returned].flat().includes(order.paymentId)) order.paymentId = null;
    return leaveWaiting(order, "cancelled", "closed");
  },
  note(order, { marker, text, attention }) {
    if (order.notes.some((note) => note.marker === marker)) return "already";
    if (attention !== undefined) order.attention = String(attention);
    order.notes.push({ marker: String(marker), text: String(text) });
    return "recorded";
  },
  decision(order, { reasons }) {
    order.reasons = reasons as readonly string[];
    return "shown";
  },
  "record-refund"(order, { refund, refund_key, payment, amount, currency }) {
    const names = [String(refund), String(refund_key)];
    if (order.refunds.some((known) => known.names.some((name) => names.includes(name)))) return "already";
    if (paidByOf(order) !== payment) return errorAnswer(409, "payment_not_shown");
    if (currency !== order.total.currency) return "refused";
    order.refunds.push({ names, amount: String(amount) });
    return "recorded";
  },
};

function leaveWaiting(order: FakeOrder, state: FakeOrder["state"], outcome: string): string {
  if (paidByOf(order) !== null || order.state !== "waiting") return "unchanged";
  order.state = state;
  return outcome;
}

export function readOrder(order: FakeOrder | undefined, key: unknown, origin: string): Answer {
  if (!order || (key !== "" && key !== order.key)) return { status: 200, body: { outcome: "gone" } };
  const { currency } = order.total;
  const shown = {
    ...{ order: order.id, number: `REF${order.id}`, key: order.key, total: decimalText(order.total), currency },
    ...{ status: order.state, payable: isOpen(order), closed: order.state === "cancelled" },
    ...{ ours: order.module === "tillkit", paid_by: paidByOf(order), marked_by: order.markedBy },
    ...{ language: order.language, title: order.title, items: `1 × ${order.title}` },
    customer: { name: "Awa Diop", email: null, phone: "+221770000000" },
    ...{ return_url: order.returnUrl, retry_url: `${origin}/retry`, urls_signature: "" },
    refunds: order.refunds.map(({ names: [refund, refund_key], amount }) => ({ refund, refund_key, amount })),
  };
  return { status: 200, body: { outcome: "read", order: shown } };
}

export function listOrders(all: readonly FakeOrder[], { since, after }: Body): Answer {
  const ours = all.filter(({ changed, module }) => module === "tillkit" && changed >= Number(since));
  const rest = ours.filter(({ id }) => after === null || Number(id) > Number(after));
  const page = rest.slice(0, PAGE_ROWS);
  const orders = page.map(({ id, key, state: status, changed }) => ({ order: id, key, status, changed }));
  return { status: 200, body: { orders, next: rest.length > PAGE_ROWS ? page.at(-1)?.id : null } };
}
