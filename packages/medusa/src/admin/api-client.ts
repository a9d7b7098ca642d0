import Medusa from "@medusajs/js-sdk";
import type { PaymentFilter, PaymentPage } from "../admin-api/list-payments.ts";
import type { PaymentView } from "../admin-api/payment-view.ts";
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

export type PaymentAction = "check" | "accept" | "refund";

export function fetchOrderPayments(orderId: string, language: AdminLanguage): Promise<{ payments: PaymentView[] }> {
  return medusa.client.fetch(`/admin/tillkit/orders/${orderId}`, { query: { language } });
}

export function fetchPayments(
  filter: PaymentFilter,
  after: string | null,
  language: AdminLanguage,
): Promise<PaymentPage> {
  const query = { filter, language, ...(after === null ? {} : { after }) };
  return medusa.client.fetch("/admin/tillkit/payments", { query });
}

export function runPaymentAction(
  id: string,
  action: PaymentAction,
  language: AdminLanguage,
): Promise<{ payment: PaymentView }> {
  return medusa.client.fetch(`/admin/tillkit/payments/${id}/${action}`, { method: "POST", query: { language } });
}
