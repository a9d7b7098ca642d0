import {
  explainPayment,
  formatMoney,
  type JobError,
  type Language,
  type Payment,
  type PaymentState,
  type Refund,
} from "@tillkit/core";
import { type ChoiceKind, isOffered, offerOf, refundOffered } from "@tillkit/core/back-office";
import { isRefundSettled } from "@tillkit/core/store-refunds";
import { z } from "zod";
import { describeFinding } from "../adapter/notice-texts.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { readBuyer } from "../store/cart-people.ts";
import { readDisplayId } from "../store/order.ts";
import { readPayment } from "./back-office.ts";
import { type MoneyView, toMoneyView } from "./money-view.ts";
import { describeProblem, findProblem, type ReadPayment } from "./payment-problem.ts";
import { readWaitingFor, type WaitingFor } from "./waiting-for.ts";

/**
 * A payment as the admin shows it to the owner: texts in the reader's language, times in milliseconds since 1970. The customer is
 * read from Medusa for each answer and is stored nowhere else.
 */
export type PaymentView = MoneyView & {
  readonly id: string;
  readonly state: PaymentState;
  readonly environment: "test" | "live";
  /** The amount asked. */
  readonly amount: string;
  /** The amount that arrived; null while none is known. */
  readonly amount_received: string | null;
  readonly created_at: number;
  readonly customer_name: string | null;
  readonly customer_email: string | null;
  /** What was in the cart when the payment page was opened: `2 × Basket`. */
  readonly items: readonly string[];
  readonly cart_id: string | null;
  /** The transaction at the service, for a browser; null without the option `dashboardUrl`. */
  readonly service_url: string | null;
  readonly payment_collection_id: string;
  readonly payment_session_id: string;
  readonly order_id: string | null;
  /** `#1024` */
  readonly order_name: string | null;
  readonly checkout_session_id: string | null;
  readonly transaction_id: string | null;
  readonly headline: string;
  /** One sentence about what differs. */
  readonly finding: string | null;
  /** What decisions take as `seen`: it names what this view shows. */
  readonly seen: string;
  /** What a person must do although the payment's state needs no review: a refund failed late, or a canceled order was not refunded. */
  readonly problem: string | null;
  /** Why a received payment has no order yet; null when it has one, or waits for a decision. */
  readonly waiting_for: WaitingFor | null;
  /** The cart that the held payment may still pay, and what it costs now. Null when Medusa cannot place that order. */
  readonly open_cart: { readonly total: string; readonly is_sold_out: boolean } | null;
  readonly can_accept: boolean;
  readonly can_refund: boolean;
  readonly refunds: readonly {
    /** Names the refund in decisions. */
    readonly key: string;
    readonly amount: string;
    readonly state: string;
    readonly refund_id: string | null;
    /** It failed after Medusa had shown it. */
    readonly can_send_again: boolean;
    /** It was left without a result, and a person who looked in the service's dashboard may say how it ended. */
    readonly can_tell_outcome: boolean;
    /** It failed, and the owner may say that it was settled outside the service. */
    readonly can_settle: boolean;
    /** It failed, and the owner said that it was settled outside the service. */
    readonly is_settled: boolean;
  }[];
  readonly timeline: readonly { readonly at: number; readonly actor: string; readonly text: string }[];
};

/** @param error why the request that is being answered did not finish */
export async function toPaymentView(
  runtime: CheckoutRuntime,
  payment: Payment,
  language: Language,
  error: JobError | null = null,
): Promise<PaymentView> {
  const { id, state, environment, amountDue, createdAt, ref, attempt, session, transactionId, finding } = payment;
  const [{ headline, entries }, read] = await Promise.all([
    explainPayment(runtime.engine, { paymentId: id }, language),
    readPayment(runtime, payment),
  ]);
  const { view, shop } = read;
  const now = runtime.engine.clock.now();
  const { collection, openCart: cart } = shop;
  const orderId = collection?.orderId ?? null;
  const orderName = orderId === null ? null : await readDisplayId(runtime.container, orderId);
  const cartId = collection?.cartId ?? null;
  const [buyer, waiting] = await Promise.all([
    readBuyer(runtime.container, { cartId, orderId }),
    readWaitingFor(runtime, payment, language, error),
  ]);
  const problem = findProblem(read);
  return {
    id,
    state,
    environment,
    amount: formatMoney(amountDue, language),
    amount_received: payment.amountReceived && formatMoney(payment.amountReceived, language),
    ...toMoneyView(view, language, now),
    created_at: createdAt,
    customer_name: buyer?.name ?? null,
    customer_email: buyer?.email ?? null,
    items: itemsPaid(payment) ?? buyer?.items ?? [],
    cart_id: cartId,
    service_url: serviceUrl(runtime.options.dashboardUrl, transactionId),
    payment_collection_id: ref.orderId,
    payment_session_id: attempt,
    order_id: orderId,
    order_name: orderName,
    checkout_session_id: session?.id ?? null,
    transaction_id: transactionId,
    headline,
    finding: finding === null ? null : describeFinding(finding, language),
    seen: view.seen,
    problem: problem && describeProblem(problem, orderName, language, now),
    waiting_for: waiting,
    open_cart: cart && { total: formatMoney(cart.total, language), is_sold_out: cart.isSoldOut },
    can_accept: isOffered(view, "accept"),
    can_refund: refundOffered(view) !== null,
    refunds: await Promise.all(view.movements.refunds.map((refund) => toRefundView(runtime, refund, read, language))),
    timeline: entries.map(({ at, actor, text }) => ({ at, actor, text })),
  };
}

// The cart may have changed since then; the request that opened the payment page names the items of that time. Null after pruning.
function itemsPaid({ request }: Payment): readonly string[] | null {
  const parsed = z.object({ description: z.string() }).safeParse(request === "" ? null : JSON.parse(request));
  return parsed.success ? [parsed.data.description] : null;
}

function serviceUrl(dashboardUrl: string | undefined, transactionId: string | null): string | null {
  if (dashboardUrl === undefined || transactionId === null) return null;
  return dashboardUrl.replaceAll("{transaction}", encodeURIComponent(transactionId));
}

async function toRefundView(
  { ledger }: CheckoutRuntime,
  refund: Refund,
  { view, shop }: ReadPayment,
  language: Language,
): Promise<PaymentView["refunds"][number]> {
  const { key, amount, state, refundId } = refund;
  const isOfferedFor = (kind: ChoiceKind) => offerOf(view, kind, key)?.why === null;
  return {
    key,
    amount: formatMoney(amount, language),
    state,
    refund_id: refundId,
    can_send_again: isOfferedFor("sendAgain"),
    can_tell_outcome: isOfferedFor("looked"),
    can_settle: isOfferedFor("settledOutside"),
    is_settled: await isRefundSettled(ledger, view.payment, shop.shownRefunds, refund),
  };
}
