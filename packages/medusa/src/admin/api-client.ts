import Medusa from "@medusajs/js-sdk";
import type { DecisionBody } from "../admin-api/decide-payment.ts";
import type { CandidateView } from "../admin-api/list-candidates.ts";
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

/** Says whether the shop moved to this address, or is a copy. */
export function answerAboutCopy(address: string, answer: "moved" | "copy", language: AdminLanguage): Promise<object> {
  return medusa.client.fetch("/admin/tillkit/copy", { method: "POST", query: { language }, body: { address, answer } });
}

export function fetchPayment(id: string, language: AdminLanguage): Promise<{ payment: PaymentView }> {
  return medusa.client.fetch(`/admin/tillkit/payments/${id}`, { query: { language } });
}

/** Reads the payment and its refunds from the service. */
export function checkPayment(id: string, language: AdminLanguage): Promise<{ payment: PaymentView }> {
  return medusa.client.fetch(`/admin/tillkit/payments/${id}/check`, { method: "POST", query: { language } });
}

/** Carries out a decision about what was shown of this payment. */
export function decideAbout(
  { id, seen }: PaymentView,
  decision: DecisionBody,
  language: AdminLanguage,
): Promise<{ payment: PaymentView }> {
  const body = { ...decision, seen };
  return medusa.client.fetch(`/admin/tillkit/payments/${id}/decide`, { method: "POST", query: { language }, body });
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
