import type { Evidence, OrderEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";
import { totalsSeenBy, whyWrong } from "./terms.ts";

export const neverWrong: Invariant = {
  id: "I2",
  title: "Only a completed payment of exactly this order, amount, currency, account and environment marks it paid.",
  broken: (evidence) =>
    evidence.orders.flatMap((order) =>
      order.effects.flatMap((effect) => {
        const why = whyNot(evidence, order, effect);
        return why ? [`${order.ref.orderId} was marked paid by payment ${effect.paymentId}, ${why}`] : [];
      }),
    ),
};

function whyNot(evidence: Evidence, order: OrderEvidence, effect: OrderEvidence["effects"][number]): string | null {
  const payment = evidence.payments.find(({ id }) => id === effect.paymentId);
  if (!payment) return "which nobody knows";
  if (payment.ref.orderId !== order.ref.orderId || payment.ref.storeId !== order.ref.storeId) {
    return `which belongs to order ${payment.ref.orderId}`;
  }
  const session = evidence.sessions.find(({ paymentId }) => paymentId === payment.id);
  if (!session) return "which has no session";
  if (session.completedAt === null || session.completedAt > effect.at) return "which was not completed";
  const now = whyWrong(session, payment, effect.total);
  if (now === null) return null;
  const seen = totalsSeenBy(order, effect.at);
  return seen.some((total) => whyWrong(session, payment, total) === null) ? null : `paid ${now}`;
}
