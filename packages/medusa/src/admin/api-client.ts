import Medusa from "@medusajs/js-sdk";
import type { CandidateView, MoneyDecisionBody } from "../admin-api/decide-money.ts";
import type { PaymentFilter, PaymentPage } from "../admin-api/list-payments.ts";
import type { PaymentView } from "../admin-api/payment-view.ts";
import type { TransactionView } from "../admin-api/transaction-view.ts";
import type { AdminLanguage } from "./texts.ts";

// Medusa's admin build replaces these constants with Medusa's URL and the admin's login method.
declare const __BACKEND_URL__: string | undefined;
declare const __AUTH_TYPE__: "session" | "jwt" | undefined;
declare const __JWT_TOKEN_STORAGE_KEY__: string | undefined;

const medusa = new Medusa({
  baseUrl: __BACKEND_URL__ ?? "/",
  auth: {
    type: __AUTH_TYPE__ ?? "session",
    ...(__JWT_TOKEN_STORAGE_KEY__ ? { jwtTokenStorageKey: __JWT_TOKEN_STORAGE_KEY__ } : {}),
  },
});

export type PaymentAction = "check" | "accept" | "place" | "refund" | "send-again" | "settle" | "decide";

/**
 * `refund`: the key of the refund that an action is about. `reason`: why a failed refund counts as settled. `seen`: what was shown of
 * the payment that is accepted, placed or refunded, or about whose money a person decides.
 */
export type ActionInput = { readonly refund?: string; readonly reason?: string; readonly seen?: string } & (
  | MoneyDecisionBody
  | { readonly kind?: never }
);

export function fetchOrderPayments(orderId: string, language: AdminLanguage): Promise<{ payments: PaymentView[] }> {
  return medusa.client.fetch(`/admin/tillkit/orders/${orderId}`, { query: { language } });
}

export function fetchPayments(
  { filter, search }: { readonly filter: PaymentFilter; readonly search: string },
  after: string | null,
  language: AdminLanguage,
): Promise<PaymentPage> {
  const query = { filter, language, ...(search === "" ? {} : { search }), ...(after === null ? {} : { after }) };
  return medusa.client.fetch("/admin/tillkit/payments", { query });
}

export function runPaymentAction(
  id: string,
  action: PaymentAction,
  language: AdminLanguage,
  { refund, ...body }: ActionInput = {},
): Promise<{ payment: PaymentView }> {
  const query = refund === undefined ? { language } : { language, refund };
  return medusa.client.fetch(`/admin/tillkit/payments/${id}/${action}`, { method: "POST", query, body });
}

/** The transactions that may have paid a payment that names none. */
export function fetchCandidates(id: string, language: AdminLanguage): Promise<{ candidates: CandidateView[] }> {
  return medusa.client.fetch(`/admin/tillkit/payments/${id}/candidates`, { query: { language } });
}

export function fetchTransaction(id: string, language: AdminLanguage): Promise<TransactionView> {
  return medusa.client.fetch(`/admin/tillkit/payments/${id}/transaction`, { query: { language } });
}

/** How many payments wait for a person. */
export function fetchCount(): Promise<{ count: number }> {
  return medusa.client.fetch("/admin/tillkit/count");
}
