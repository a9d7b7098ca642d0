import { ApiError } from "../domain/api-error.ts";
import type { FailureCode } from "../domain/payment-methods.ts";
import type { HttpResponse } from "../http/http-response.ts";
import { offeredMethods } from "../payments/offered-methods.ts";
import { paySession, readLastAttempt } from "../payments/pay-session.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { checkoutForm } from "./checkout-form.ts";
import { expiredPage, paidPage } from "./ended-pages.ts";
import { clearDraftHeader, readDraft, saveDraftHeader } from "./form/draft.ts";
import { fieldOrder, fieldRules } from "./form/field-rules.ts";
import { type FormValues, formValuesFrom } from "./form/form-values.ts";
import { readForm } from "./form/read-form.ts";
import { type SessionPageCall, seeOther } from "./page-request.ts";
import type { SessionView } from "./session-view.ts";

/** Shows the payment form of an open session, or the last page of a completed or expired session. */
export async function showCheckout({ service, view, request }: SessionPageCall): Promise<HttpResponse> {
  const lastAttempt = await readLastAttempt(service.store, view.session.session_id);
  if (view.session.status === "completed") return paidPage(view, lastAttempt);
  if (view.session.status === "expired") return expiredPage(view);
  const awaitsApproval = lastAttempt?.status === "pending" && lastAttempt.awaits === "approval";
  const choosesOtherMethod = request.query.get("other") !== null;
  if (awaitsApproval && !choosesOtherMethod) return seeOther(view, view.pageUrl(`/waiting/${lastAttempt.public_id}`));
  return checkoutForm(view, {
    ...(await formRequirements(service, view)),
    values: readDraft(request.headers.cookie) ?? merchantValues(view),
    problems: [],
    failure: lastAttempt?.status === "failed" ? (lastAttempt.failure_code as FailureCode) : null,
  });
}

/** Handles the submitted payment form. */
export async function handlePay({ service, view, request }: SessionPageCall): Promise<HttpResponse> {
  if (view.session.status !== "open") return seeOther(view, view.pageUrl());
  const requirements = await formRequirements(service, view);
  if (requirements.methods.length === 0) return seeOther(view, view.pageUrl());
  const { values, problems, attempt } = readForm(request.form, { ...requirements, now: service.clock.now() });
  if (attempt === null) return checkoutForm(view, { ...requirements, values, problems, failure: null });
  const transaction = await inDatabaseTransaction(service, (context) =>
    paySession(context, view.session.session_id, attempt),
  ).catch((error: unknown) => {
    // The session was already paid, by a second click or in another tab. The redirect below shows it as paid.
    if (error instanceof ApiError && error.code === "conflict") return null;
    throw error;
  });
  if (transaction === null) return seeOther(view, view.pageUrl());
  return redirectAfterAttempt(view, transaction, saveDraftHeader(values, formPath(view)));
}

/** Redirects to the shop, to the page that waits for the shopper's confirmation, or back to the form with the reason. */
export function redirectAfterAttempt(
  view: SessionView,
  transaction: TransactionRow,
  headers: Record<string, string> = {},
): HttpResponse {
  if (transaction.status === "completed") {
    return seeOther(view, view.successUrl ?? view.pageUrl(), clearDraftHeader(formPath(view)));
  }
  if (transaction.status !== "pending") return seeOther(view, `${view.pageUrl()}#problem`, headers);
  const page = transaction.awaits === "challenge" ? "challenge" : "waiting";
  return seeOther(view, view.pageUrl(`/${page}/${transaction.public_id}`), headers);
}

/** The path of the form, to which its cookie is limited. */
function formPath(view: SessionView): string {
  return view.pageUrl().split("?")[0] ?? "/";
}

async function formRequirements(service: Service, { details, session }: SessionView) {
  const methods = await offeredMethods(service.store.database, service, session);
  return { rules: fieldRules(details), order: fieldOrder(details), methods };
}

/** The values of the shopper details that the merchant sent. They fill fields and do not change which fields are shown. */
function merchantValues({ details }: SessionView): FormValues {
  return formValuesFrom(
    new URLSearchParams({
      name: details.customer_name ?? "",
      email: details.customer_email ?? "",
      phone: details.customer_phone ?? "",
      mobile_phone: details.customer_phone ?? "",
      address: details.customer_address ?? "",
      city: details.customer_city ?? "",
      postal_code: details.customer_postal_code ?? "",
      country: details.customer_country ?? "",
    }),
  );
}
