import { decimalText, type Payment } from "@tillkit/core";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";

/** The data of Medusa's payment session. Storefronts can read all of it, so it contains no secret. */
export type PaymentData = {
  readonly version: 1;
  /** Medusa's id of the payment session, `payses_…`. */
  readonly session_id: string;
  readonly payment_id: string;
  readonly checkout_session_id: string;
  /** The hosted page. */
  readonly checkout_url: string;
  /** `"22.80"`, with the currency's decimals. */
  readonly amount: string;
  readonly currency_code: string;
  readonly environment: "test" | "live";
  /** ISO 8601 */
  readonly expires_at: string;
  /** How the shopper paid, such as "Wave"; absent before the payment, and where it could not be read. */
  readonly paid_with?: string;
};

/** Every key comes from the ledger and overwrites what a storefront may have sent under the same name. */
export function toPaymentData(
  { id, attempt, session, amountDue, environment }: Payment,
  paidWith?: unknown,
): PaymentData & Record<string, unknown> {
  return {
    version: 1,
    session_id: attempt,
    payment_id: id,
    checkout_session_id: session?.id ?? "",
    checkout_url: session?.url ?? "",
    amount: decimalText(amountDue),
    currency_code: amountDue.currency.toLowerCase(),
    environment,
    expires_at: new Date(session?.expiresAt ?? 0).toISOString(),
    ...(typeof paidWith === "string" ? { paid_with: paidWith } : {}),
  };
}

/** The payment of a stored session's data. Null when payment and session do not refer to each other. */
export async function findPayment(
  runtime: CheckoutRuntime,
  data: Readonly<Record<string, unknown>> | undefined,
): Promise<Payment | null> {
  const { payment_id: id, session_id: attempt } = data ?? {};
  const payment = typeof id === "string" ? await runtime.ledger.find({ id }) : null;
  const matches = payment?.ref.storeId === runtime.options.storeId && payment.attempt === attempt;
  return matches ? payment : null;
}
