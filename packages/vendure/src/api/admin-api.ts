import { Mutation, Query } from "@nestjs/graphql";
import { acceptReview, codeOf, type Payment, refundReview } from "@tillkit/core";
import { Allow, Permission, type RequestContext, UserInputError } from "@vendure/core";
import { type DocumentNode, parse } from "graphql";
import { requireCheckout } from "../current-checkout.ts";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { DEFAULT_CHANNEL } from "../options/options.ts";
import { languageOf, pluginTexts } from "../texts.ts";
import { decorateResolver } from "./decorate.ts";
import { type PaymentView, toPaymentView } from "./payment-view.ts";

export const adminSchema: DocumentNode = parse(`
  "A payment, with texts and amounts for the shop's owner."
  type TillkitPayment {
    id: String!
    orderCode: String!
    state: String!
    amount: String!
    createdAt: DateTime!
    transactionId: String
    headline: String!
    "Why the payment is held: the difference between the payment and its order."
    finding: String
    "Names this difference in acceptTillkitPayment."
    seen: String
    canAccept: Boolean!
    canRefund: Boolean!
    refunds: [TillkitRefund!]!
    timeline: [TillkitTimelineEntry!]!
  }
  type TillkitRefund {
    amount: String!
    state: String!
  }
  type TillkitTimelineEntry {
    at: DateTime!
    text: String!
  }
  extend type Query {
    "Every payment of an order, newest first."
    tillkitPaymentsOfOrder(orderCode: String!): [TillkitPayment!]!
    "Payments that have arrived and pay no order, newest first. An owner accepts or refunds each payment."
    tillkitPaymentsToReview: [TillkitPayment!]!
  }
  extend type Mutation {
    "Accepts the difference that the page showed, and no other. The payment is then verified again and pays its order."
    acceptTillkitPayment(id: String!, seen: String!): TillkitPayment!
    "Refunds the rest of a held payment that is not refunded yet."
    refundTillkitPayment(id: String!): TillkitPayment!
  }
`);

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
    const { ledger } = requireCheckout();
    const query = { states: ["review", "duplicate", "refunding"], limit: pluginLimits.listedPayments } as const;
    const pages = await Promise.all(storeIdsOf(context).map((storeId) => ledger.listPayments({ ...query, storeId })));
    return await toViews(
      context,
      pages.flatMap(({ rows }) => rows),
    );
  }

  acceptTillkitPayment(
    context: RequestContext,
    { id, seen }: { readonly id: string; readonly seen: string },
  ): Promise<PaymentView> {
    return decide(context, id, ({ engine }, by) => acceptReview(engine, { paymentId: id, by, seen }));
  }

  refundTillkitPayment(context: RequestContext, { id }: { readonly id: string }): Promise<PaymentView> {
    return decide(context, id, ({ engine }, by) => refundReview(engine, { paymentId: id, by }));
  }
}

decorateResolver(TillkitAdminResolver, {
  tillkitPaymentsOfOrder: [Query(), Allow(Permission.ReadOrder)],
  tillkitPaymentsToReview: [Query(), Allow(Permission.ReadOrder)],
  acceptTillkitPayment: [Mutation(), Allow(Permission.UpdateOrder)],
  refundTillkitPayment: [Mutation(), Allow(Permission.UpdateOrder)],
});

async function decide(
  context: RequestContext,
  id: string,
  makeDecision: (checkout: VendureCheckout, by: string) => Promise<unknown>,
): Promise<PaymentView> {
  const checkout = requireCheckout();
  const language = languageOf(context);
  const payment = await checkout.ledger.find({ id });
  if (!payment || !storeIdsOf(context).includes(payment.ref.storeId)) {
    throw new UserInputError(pluginTexts(language).noPayment);
  }
  try {
    await makeDecision(checkout, `user ${context.activeUserId ?? "unknown"}`);
  } catch (error) {
    checkout.log.warn("decision.failed", { paymentId: id, code: codeOf(error) });
    throw new UserInputError(error instanceof Error ? error.message : pluginTexts(language).notStarted);
  }
  return await toPaymentView(checkout, (await checkout.ledger.find({ id })) ?? payment, language);
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
