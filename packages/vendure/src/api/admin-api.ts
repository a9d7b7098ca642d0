import { Mutation, Query } from "@nestjs/graphql";
import {
  acceptReview,
  codeOf,
  findingKey,
  formatMoney,
  type Payment,
  parseMoney,
  refundReview,
  transactionCandidates,
} from "@tillkit/core";
import { decideMoney, explainRefusedRefund, isAsSeen, type MoneyDecision, paymentsToDecide } from "@tillkit/runtime";
import { Allow, Permission, type RequestContext, UserInputError } from "@vendure/core";
import { requireCheckout } from "../current-checkout.ts";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { DEFAULT_CHANNEL } from "../options/options.ts";
import { languageOf, pluginTexts } from "../texts.ts";
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
    const query = { states: ["review", "duplicate", "refunding"], limit: pluginLimits.listedPayments } as const;
    const storeIds = storeIdsOf(context);
    const [pages, undecided] = await Promise.all([
      Promise.all(storeIds.map((storeId) => ledger.listPayments({ ...query, storeId }))),
      Promise.all(storeIds.map((storeId) => paymentsToDecide(ledger, storeId, engine.clock.now()))),
    ]);
    const found = [...pages.flatMap(({ rows }) => rows), ...undecided.flat()];
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
    return decide(context, id, async (checkout, by, payment) => {
      const stillApplies = await assertAsSeen(context, checkout, id, seen);
      const difference = payment.finding ? findingKey(payment.finding) : "";
      await acceptReview(checkout.engine, { paymentId: id, by, seen: difference, stillApplies });
    });
  }

  refundTillkitPayment(
    context: RequestContext,
    { id, seen }: { readonly id: string; readonly seen: string },
  ): Promise<PaymentView> {
    return decide(context, id, async (checkout, by) => {
      const stillApplies = await assertAsSeen(context, checkout, id, seen);
      await refundReview(checkout.engine, { paymentId: id, by, stillApplies });
    });
  }

  refundTillkitPaymentOverDispute(
    context: RequestContext,
    { id, seen, amount }: { readonly id: string; readonly seen: string; readonly amount: string },
  ): Promise<PaymentView> {
    return decideAboutMoney(context, id, ({ amountDue }) => ({
      kind: "refundOverDispute",
      seen,
      amount: parseMoney(amount, amountDue.currency),
    }));
  }

  settleTillkitRefund(
    context: RequestContext,
    { id, seen, refund: refundKey, wasMade }: { id: string; seen: string; refund: string; wasMade: boolean },
  ): Promise<PaymentView> {
    return decideAboutMoney(context, id, () => ({ kind: "refundOutcome", seen, refundKey, wasMade }));
  }

  nameTillkitTransaction(
    context: RequestContext,
    { id, seen, transaction: transactionId }: { id: string; seen: string; transaction: string },
  ): Promise<PaymentView> {
    return decideAboutMoney(context, id, () => ({ kind: "transaction", seen, transactionId }));
  }

  decideTillkitDispute(
    context: RequestContext,
    { id, seen, dispute: disputeId, wasWon }: { id: string; seen: string; dispute: string; wasWon: boolean },
  ): Promise<PaymentView> {
    const outcome = wasWon ? "won" : "lost";
    return decideAboutMoney(context, id, () => ({ kind: "dispute", seen, disputeId, outcome }));
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

/** A person's decision about money as the request names it, without the person. */
type RequestedDecision = MoneyDecision extends infer Decision
  ? Decision extends unknown
    ? Omit<Decision, "by">
    : never
  : never;

function decideAboutMoney(
  context: RequestContext,
  id: string,
  read: (payment: Payment) => RequestedDecision,
): Promise<PaymentView> {
  return decide(context, id, async ({ engine }, by, payment) => {
    const texts = pluginTexts(languageOf(context));
    const decided = await decideMoney(engine, id, { ...read(payment), by } as MoneyDecision);
    if (decided.status === "outdated") throw new UserInputError(texts.decisionOutdated);
    if (decided.refund?.state === "failed") throw new UserInputError(texts.refundRefused);
  });
}

/** Returns what the engine asks right before it commits the decision. */
async function assertAsSeen(
  context: RequestContext,
  { engine }: VendureCheckout,
  id: string,
  seen: string,
): Promise<() => Promise<boolean>> {
  const stillApplies = () => isAsSeen(engine, id, seen);
  if (!(await stillApplies())) throw new UserInputError(pluginTexts(languageOf(context)).decisionOutdated);
  return stillApplies;
}

async function decide(
  context: RequestContext,
  id: string,
  makeDecision: (checkout: VendureCheckout, by: string, payment: Payment) => Promise<unknown>,
): Promise<PaymentView> {
  const checkout = requireCheckout();
  const language = languageOf(context);
  const payment = await findPayment(context, id);
  if (!payment) throw new UserInputError(pluginTexts(language).noPayment);
  try {
    await makeDecision(checkout, `user ${context.activeUserId ?? "unknown"}`, payment);
  } catch (error) {
    checkout.log.warn("decision.failed", { paymentId: id, code: codeOf(error) });
    if (error instanceof UserInputError) throw error;
    const refusal = await explainRefusedRefund(checkout.engine, payment, error, language);
    throw new UserInputError(refusal ?? (error instanceof Error ? error.message : pluginTexts(language).notStarted));
  }
  return await toPaymentView(checkout, (await checkout.ledger.find({ id })) ?? payment, language);
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
