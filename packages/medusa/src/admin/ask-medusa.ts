import Medusa from "@medusajs/js-sdk";
import type { PaymentPage, Show } from "../attention/list-payments.ts";
import type { PaymentView } from "../attention/payment-view.ts";
import type { AdminLanguage } from "./words.ts";

// Medusa's admin build writes these into the code: where Medusa is, and how its admin logs in.
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

export type PaymentAct = "check" | "accept" | "refund";

export function paymentsOfOrder(orderId: string, language: AdminLanguage): Promise<{ payments: PaymentView[] }> {
  return medusa.client.fetch(`/admin/tillkit/orders/${orderId}`, { query: { language } });
}

export function pageOfPayments(show: Show, after: string | null, language: AdminLanguage): Promise<PaymentPage> {
  const query = { show, language, ...(after === null ? {} : { after }) };
  return medusa.client.fetch("/admin/tillkit/payments", { query });
}

export function actOn(id: string, act: PaymentAct, language: AdminLanguage): Promise<{ payment: PaymentView }> {
  return medusa.client.fetch(`/admin/tillkit/payments/${id}/${act}`, { method: "POST", query: { language } });
}
