import {
  decideDispute,
  type Engine,
  nameTransaction,
  type Payment,
  type RefundRequest,
  refundPayment,
} from "@tillkit/core";
import { transactionCandidates } from "@tillkit/core/back-office";
import { equationsOf, isCertain } from "@tillkit/core/ledger";
import { actAtService } from "./act-at-service.ts";
import type { ModelFixture } from "./fixture.ts";
import type { PaymentAction } from "./steps.ts";

const PERSON = "owner";
const PART_MINOR = 100;

type Act = { readonly paymentId: string; readonly to: PaymentAction; readonly by: number };

/** What the shop, the owner or a person at the payment's page does with the money of a payment. */
export async function actOnMoney(fixture: ModelFixture, engine: Engine, { paymentId, to, by }: Act): Promise<unknown> {
  const payment = await fixture.ledger.find({ id: paymentId });
  if (!payment) return null;
  switch (to) {
    case "name transaction":
      return await namePaidTransaction(fixture, engine, paymentId);
    case "dispute won":
    case "dispute lost":
      return await decideEndedDispute(fixture, engine, paymentId, to === "dispute won" ? "won" : "lost");
    case "refund over dispute":
      return await refundOverDispute(fixture, engine, payment);
    case "refund surplus":
      return await refundSurplus(fixture, engine, payment);
    default: {
      if (to === "refund unheard") actAtService(fixture, { kind: "service fails", how: "answer lost", calls: 1 });
      const { amountDue } = payment;
      const amount = to === "refund all" ? amountDue : { ...amountDue, minor: PART_MINOR };
      const key = `${paymentId} ${to} ${by}`;
      return await refund(fixture, engine, { paymentId, amount, key, origin: "store" });
    }
  }
}

/** A person who looks at the candidates recognizes the right one, and decides nothing where it is missing. */
async function namePaidTransaction(fixture: ModelFixture, engine: Engine, paymentId: string): Promise<unknown> {
  const candidates = await transactionCandidates(engine, paymentId);
  const { transactions } = fixture.service.money;
  const right = candidates.find(({ id }) =>
    transactions.some((transaction) => transaction.id === id && transaction.session?.key === paymentId),
  );
  return right && (await nameTransaction(engine, { paymentId, transactionId: right.id, by: PERSON }));
}

async function decideEndedDispute(
  { ledger }: ModelFixture,
  engine: Engine,
  paymentId: string,
  outcome: "won" | "lost",
): Promise<unknown> {
  const disputes = await ledger.disputes(paymentId);
  const ended = disputes.find((dispute) => dispute.status !== "pending" && dispute.outcome === null);
  return ended && (await decideDispute(engine, { paymentId, disputeId: ended.id, outcome, by: PERSON }));
}

/** The person confirms the disputed sum that the page shows. */
async function refundOverDispute(fixture: ModelFixture, engine: Engine, payment: Payment): Promise<unknown> {
  const [first] = (await equationsShown(fixture, payment)) ?? [];
  if (!first || first.disputed.minor === 0) return null;
  const { id: paymentId } = payment;
  const key = `${paymentId} over dispute ${first.disputed.minor}`;
  fixture.recorder.moneyFacts.confirmations.push({ key, disputed: first.disputed });
  const amount = { ...first.disputed, minor: PART_MINOR };
  return await refund(fixture, engine, { paymentId, amount, key, overDispute: first.disputed, origin: "tillkit" });
}

/** The shopper paid the session twice, and gets the second payment back. */
async function refundSurplus(fixture: ModelFixture, engine: Engine, payment: Payment): Promise<unknown> {
  const [, second] = (await equationsShown(fixture, payment)) ?? [];
  if (!second || second.transactionId === null || second.available.minor <= 0) return null;
  const { id: paymentId } = payment;
  const { transactionId, available: amount } = second;
  const key = `${paymentId} surplus ${transactionId} ${amount.minor}`;
  return await refund(fixture, engine, { paymentId, amount, key, transactionId, origin: "tillkit" });
}

async function equationsShown({ ledger }: ModelFixture, payment: Payment) {
  const transactions = await ledger.transactions(payment.id);
  const refunds = await ledger.refunds(payment.id);
  const disputes = await ledger.disputes(payment.id);
  return transactions.some(isCertain) ? equationsOf(payment, { transactions, refunds, disputes }) : null;
}

/** A repeated click with the same key is the same decision. */
async function refund({ recorder, orders, ledger }: ModelFixture, engine: Engine, request: RefundRequest) {
  const { paymentId, amount, key, origin, transactionId = "" } = request;
  if (!recorder.decisions.some(({ keys }) => keys.includes(key))) {
    const subject = `${amount.minor} of payment ${paymentId} ${transactionId}`;
    recorder.decisions.push({ subject, paymentId, shownPaymentId: null, keys: [key], origin });
  }
  const ref = (await ledger.find({ id: paymentId }))?.ref;
  const order = orders.find(({ placed }) => placed.ref.orderId === ref?.orderId);
  const recordedRefunds = [...(order?.shopRefundIds ?? [])];
  const made = await refundPayment(engine, {
    ...request,
    recordedRefunds,
    ...(origin === "tillkit" ? { by: PERSON } : {}),
  });
  if (made.refundId !== null && (made.state === "completed" || made.state === "pending"))
    order?.shopRefundIds.push(made.refundId);
  return made;
}
