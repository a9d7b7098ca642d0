import type { Answer } from "../api/answer.ts";
import type { FailureCode } from "../payments/methods.ts";
import { offeredMethods } from "../payments/offered-methods.ts";
import { lastAttempt, paySession } from "../payments/pay.ts";
import { Refusal } from "../service/refusal.ts";
import { changeState, type Service } from "../service/service.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { checkoutForm } from "./checkout-form.ts";
import { forgetDraft, keepDraft, readDraft } from "./draft.ts";
import { expiredPage, paidPage } from "./ended-pages.ts";
import { fieldOrder, fieldRules } from "./field-rules.ts";
import { readForm, type Typed, typedIn } from "./read-form.ts";
import type { View } from "./view.ts";
import { seeOther, type Visit } from "./visit.ts";

/** What the address of a session shows: the form, or how the session ended. */
export async function showCheckout({ service, view, request }: Visit): Promise<Answer> {
  const last = await lastAttempt(service.store, view.session.session_id);
  if (view.session.status === "completed") return paidPage(view, last);
  if (view.session.status === "expired") return expiredPage(view);
  const waits = last?.status === "pending" && last.waits_for === "approval";
  if (waits && request.query.get("other") === null) return seeOther(view, view.address(`/waiting/${last.public_id}`));
  return checkoutForm(view, {
    ...(await asked(service, view)),
    typed: readDraft(request.headers.cookie) ?? prefilled(view),
    problems: [],
    failure: last?.status === "failed" ? (last.failure_code as FailureCode) : null,
  });
}

/** The shopper pressed Pay. */
export async function pay({ service, view, request }: Visit): Promise<Answer> {
  if (view.session.status !== "open") return seeOther(view, view.address());
  const questions = await asked(service, view);
  if (questions.methods.length === 0) return seeOther(view, view.address());
  const { typed, problems, attempt } = readForm(request.form, { ...questions, now: service.clock.now() });
  if (attempt === null) return checkoutForm(view, { ...questions, typed, problems, failure: null });
  const paid = await changeState(service, (change) => paySession(change, view.session.session_id, attempt)).catch(
    (error: unknown) => {
      // Pressed twice, or paid in another tab meanwhile: its page says so.
      if (error instanceof Refusal && error.code === "conflict") return null;
      throw error;
    },
  );
  if (paid === null) return seeOther(view, view.address());
  return afterAttempt(view, paid, keepDraft(typed, view.address().split("?")[0] ?? "/"));
}

/** Where an attempt leads: to the shop, to the page that waits, or back to the form, which says why. */
export function afterAttempt(view: View, transaction: TransactionRow, headers: Record<string, string> = {}): Answer {
  if (transaction.status === "completed") {
    return seeOther(view, view.successUrl ?? view.address(), forgetDraft(view.address().split("?")[0] ?? "/"));
  }
  if (transaction.status !== "pending") return seeOther(view, `${view.address()}#problem`, headers);
  const page = transaction.waits_for === "challenge" ? "challenge" : "waiting";
  return seeOther(view, view.address(`/${page}/${transaction.public_id}`), headers);
}

async function asked(service: Service, { terms, session }: View) {
  const methods = await offeredMethods(service.store.rows, service, session);
  return { rules: fieldRules(terms), order: fieldOrder(terms), methods };
}

/** What the merchant knew already. It fills fields; it does not change which are shown. */
function prefilled({ terms }: View): Typed {
  return typedIn(
    new URLSearchParams({
      name: terms.customer_name ?? "",
      email: terms.customer_email ?? "",
      phone: terms.customer_phone ?? "",
      mobile_phone: terms.customer_phone ?? "",
      address: terms.customer_address ?? "",
      city: terms.customer_city ?? "",
      postal_code: terms.customer_postal_code ?? "",
      country: terms.customer_country ?? "",
    }),
  );
}
