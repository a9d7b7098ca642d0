import { decimalText, type Payment } from "@tillkit/core";
import type { Till } from "../till/open-till.ts";

/** What stands in Medusa's payment session. The storefront sees all of it: identifiers and an address, nothing secret. */
export type PaymentData = {
  readonly v: 1;
  /** Medusa's own name of this try, `payses_…`. */
  readonly session_id: string;
  readonly payment_id: string;
  readonly checkout_session_id: string;
  /** The hosted page. */
  readonly checkout_url: string;
  /** `"22.80"`, in the currency's decimals. */
  readonly amount: string;
  readonly currency_code: string;
  readonly environment: "test" | "live";
  readonly expires_at: string;
};

/** Every key, from our own books: whatever a storefront wrote under these names is overwritten. */
export function dataOf({
  id,
  attempt,
  session,
  amountDue,
  environment,
}: Payment): PaymentData & Record<string, unknown> {
  return {
    v: 1,
    session_id: attempt,
    payment_id: id,
    checkout_session_id: session?.id ?? "",
    checkout_url: session?.url ?? "",
    amount: decimalText(amountDue),
    currency_code: amountDue.currency.toLowerCase(),
    environment,
    expires_at: new Date(session?.expiresAt ?? 0).toISOString(),
  };
}

/** The payment that a stored session is about. Null when the two do not name each other: then it is nobody's. */
export async function paymentOf(
  till: Till,
  data: Readonly<Record<string, unknown>> | undefined,
): Promise<Payment | null> {
  const { payment_id: id, session_id: attempt } = data ?? {};
  const payment = typeof id === "string" ? await till.ledger.find({ id }) : null;
  const isIts = payment?.ref.storeId === till.options.storeId && payment.attempt === attempt;
  return isIts ? payment : null;
}
