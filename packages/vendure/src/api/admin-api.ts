import { Mutation, Query } from "@nestjs/graphql";
import { codeOf, explainRefusal, formatMoney, type Language, type Payment, parseTypedAmount } from "@tillkit/core";
import {
  type Choice,
  decide,
  explainNotDone,
  explainUnknownPayment,
  paymentsToDecide,
  refundSubjectOf,
  transactionCandidates,
  viewPayment,
} from "@tillkit/core/back-office";
import { Allow, Permission, type RequestContext, UserInputError } from "@vendure/core";
import { requireCheckout } from "../current-checkout.ts";
import { pluginLimits } from "../limits.ts";
import { DEFAULT_CHANNEL } from "../options/options.ts";
import { languageOf } from "../texts.ts";
import { decorateResolver } from "./decorate.ts";
import { type PaymentView, toPaymentView } from "./payment-view.ts";

export class TillkitAdminResolver {
  async tillkitPaymentsOfOrder(
    context: RequestContext,
    { orderCode }: { readonly orderCode: string },
  ): Promise<readonly PaymentView[]> {
    const { ledger } = requireCheckout();
    const found = await Promise.all(
      storeIdsOf(context).map((storeId) => ledger.paymentsOfOrder({ storeId, orderId: orderCode })),
    );
    return await toViews(context, found.flat());
  }

  async tillkitPaymentsToReview(context: RequestContext): Promise<readonly PaymentView[]> {
    const { ledger, engine } = requireCheckout();
    const now = engine.clock.now();
    const limit = pluginLimits.listedPayments;
    const until = now - pluginLimits.stuckAfterMs;
    const lists = storeIdsOf(context).flatMap((storeId) => [
      ledger.listPayments({ storeId, limit, states: ["review", "duplicate", "refunding"] }).then(({ rows }) => rows),
      // A payment that has not reached its order for minutes does so only if a person looks at the shop.
      ledger.listPayments({ storeId, limit, states: ["verified"], until }).then(({ rows }) => rows),
      paymentsToDecide(ledger, storeId, now),
    ]);
    const found = (await Promise.all(lists)).flat();
    return await toViews(context, [...new Map(found.map((payment) => [payment.id, payment])).values()]);
  }

  async tillkitPayment(context: RequestContext, { id }: { readonly id: string }): Promise<PaymentView | null> {
    const payment = await findPayment(context, id);
    return payment && (await toPaymentView(requireCheckout(), payment, languageOf(context)));
  }

  async tillkitTransactionsOf(
    context: RequestContext,
    { id }: { readonly id: string },
  ): Promise<readonly { readonly id: string; readonly amount: string; readonly at: Date }[]> {
    const payment = await findPayment(context, id);
    const candidates = payment ? await transactionCandidates(requireCheckout().engine, id) : [];
    return candidates.map(({ id: transaction, amount, at }) => ({
      id: transaction,
      amount: formatMoney(amount, languageOf(context)),
      at: new Date(at),
    }));
  }

  acceptTillkitPayment(
    context: RequestContext,
    { id, seen }: { readonly id: string; readonly seen: string },
  ): Promise<PaymentView> {
    return decideOn(context, id, seen, () => ({ kind: "accept" }));
  }

  refundTillkitPayment(
    context: RequestContext,
    { id, seen, transaction }: { readonly id: string; readonly seen: string; readonly transaction?: string },
  ): Promise<PaymentView> {
    return decideOn(context, id, seen, () => ({ kind: "refund", transactionId: transaction ?? null, amount: null }));
  }

  refundTillkitPaymentOverDispute(
    context: RequestContext,
    { id, seen, amount }: { readonly id: string; readonly seen: string; readonly amount: string },
  ): Promise<PaymentView> {
    return decideOn(context, id, seen, async (payment) => {
      const subject = refundSubjectOf(await viewPayment(requireCheckout().backOffice, payment));
      const { currency } = subject?.equation.received ?? payment.amountDue;
      return { kind: "refund", transactionId: null, amount: parseTypedAmount(amount, currency), overDispute: true };
    });
  }

  settleTillkitRefund(
    context: RequestContext,
    { id, seen, refund: refundKey, wasMade }: { id: string; seen: string; refund: string; wasMade: boolean },
  ): Promise<PaymentView> {
    return decideOn(context, id, seen, () => ({ kind: "looked", refundKey, wasMade }));
  }

  nameTillkitTransaction(
    context: RequestContext,
    { id, seen, transaction: transactionId }: { id: string; seen: string; transaction: string },
  ): Promise<PaymentView> {
    return decideOn(context, id, seen, () => ({ kind: "nameTransaction", transactionId }));
  }

  decideTillkitDispute(
    context: RequestContext,
    { id, seen, dispute: disputeId, wasWon }: { id: string; seen: string; dispute: string; wasWon: boolean },
  ): Promise<PaymentView> {
    const outcome = wasWon ? "won" : "lost";
    return decideOn(context, id, seen, () => ({ kind: "disputeOutcome", disputeId, outcome }));
  }
}

decorateResolver(TillkitAdminResolver, {
  tillkitPaymentsOfOrder: [Query(), Allow(Permission.ReadOrder)],
  tillkitPaymentsToReview: [Query(), Allow(Permission.ReadOrder)],
  acceptTillkitPayment: [Mutation(), Allow(Permission.UpdateOrder)],
  refundTillkitPayment: [Mutation(), Allow(Permission.UpdateOrder)],
  tillkitPayment: [Query(), Allow(Permission.ReadOrder)],
  tillkitTransactionsOf: [Query(), Allow(Permission.ReadOrder)],
  refundTillkitPaymentOverDispute: [Mutation(), Allow(Permission.UpdateOrder)],
  settleTillkitRefund: [Mutation(), Allow(Permission.UpdateOrder)],
  nameTillkitTransaction: [Mutation(), Allow(Permission.UpdateOrder)],
  decideTillkitDispute: [Mutation(), Allow(Permission.UpdateOrder)],
});

/** Carries out what an administrator chose, if the payment is as the page showed it, and returns the payment as it is then. */
async function decideOn(
  context: RequestContext,
  id: string,
  seen: string,
  choose: (payment: Payment) => Choice | Promise<Choice>,
): Promise<PaymentView> {
  const checkout = requireCheckout();
  const language = languageOf(context);
  const payment = await findPayment(context, id);
  if (!payment) throw new UserInputError(explainUnknownPayment(language));
  const person = { by: `user ${context.activeUserId ?? "unknown"}`, right: "operator", storeId: null } as const;
  const decided = await decide(checkout.backOffice, {
    ...(await readChoice(() => choose(payment), language)),
    paymentId: id,
    person,
    seen,
  });
  if (decided.status === "done") return await toPaymentView(checkout, decided.view.payment, language);
  throw new UserInputError(explainNotDone(decided, language, checkout.engine.decisionUrl(payment)));
}

// An amount that nobody can read is refused like one that is too large.
async function readChoice(choose: () => Choice | Promise<Choice>, language: Language): Promise<Choice> {
  try {
    return await choose();
  } catch (error) {
    if (codeOf(error) !== "amount_invalid") throw error;
    throw new UserInputError(explainRefusal({ kind: "amount_invalid" }, language));
  }
}

/** The payment, if the administrator sees its shop. */
async function findPayment(context: RequestContext, id: string): Promise<Payment | null> {
  const payment = await requireCheckout().ledger.find({ id });
  return payment && storeIdsOf(context).includes(payment.ref.storeId) ? payment : null;
}

async function toViews(context: RequestContext, payments: readonly Payment[]): Promise<readonly PaymentView[]> {
  const sorted = payments.toSorted((left, right) => right.createdAt - left.createdAt);
  const checkout = requireCheckout();
  return await Promise.all(sorted.map((payment) => toPaymentView(checkout, payment, languageOf(context))));
}

/** The shops that an administrator sees: in the default channel every shop, in another channel only the channel's own shop. */
function storeIdsOf({ channel }: RequestContext): readonly string[] {
  return requireCheckout().shops.filter((shop) => channel.code === DEFAULT_CHANNEL || shop === channel.code);
}
