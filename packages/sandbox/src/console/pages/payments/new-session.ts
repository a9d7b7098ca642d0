import { checkoutSessionRequestSchema } from "@tillkit/client/schemas";
import { type Currency, currencies } from "../../../domain/currencies.ts";
import { validate } from "../../../http/validate.ts";
import { html } from "../../../pages/html.ts";
import { createSession } from "../../../payments/sessions.ts";
import { inDatabaseTransaction } from "../../../runtime/service.ts";
import { parseAmount } from "../../components/amount-input.ts";
import { selectField, textField } from "../../components/forms.ts";
import { merchantFields, readMerchantFields } from "../../components/merchant-fields.ts";
import { pageUrl } from "../../components/page-url.ts";
import { type ActionHandler, FormProblem, type PageHandler } from "../../components/section.ts";

/** The text fields of the form that are also fields of the request. Empty fields are left out of the request. */
const textFields = ["title", "description", "customer_name", "customer_email", "success_url", "cancel_url"] as const;

export const newSessionPage: PageHandler = async (request) => {
  const { draft, texts } = request;
  const { newSession } = texts;
  const draftValue = (name: string, initial = "") => draft.get(name) ?? initial;
  const currencyNames = Object.fromEntries(currencies.map((currency) => [currency, currency]));
  const main = html`<p class="breadcrumb"><a href="${pageUrl("sessions")}">${texts.tabs.sessions}</a></p>
<h1>${texts.sessions.new}</h1>
<form method="post" action="${pageUrl("sessions", "new")}" class="sheet">
${textField({ name: "amount", label: newSession.amount, value: draftValue("amount", "5000"), attributes: html`inputmode="decimal" required` })}${selectField({ name: "currency_code", label: newSession.currency, choices: currencyNames, chosen: draftValue("currency_code") })}
${textField({ name: "title", label: newSession.title, value: draftValue("title", newSession.exampleTitle), attributes: html`required maxlength="255"` })}${textField({ name: "description", label: texts.labels.description, value: draftValue("description"), attributes: html`maxlength="1000"` })}
${textField({ name: "customer_name", label: newSession.customerName, value: draftValue("customer_name") })}${textField({ name: "customer_email", label: newSession.customerEmail, value: draftValue("customer_email"), attributes: html`type="email"` })}
${textField({ name: "success_url", label: newSession.successUrl, value: draftValue("success_url"), attributes: html`type="url" placeholder="https://shop.example/return"` })}${textField({ name: "cancel_url", label: newSession.cancelUrl, value: draftValue("cancel_url"), attributes: html`type="url" placeholder="https://shop.example/cart"` })}
${await merchantFields(request, draft)}
<button>${newSession.create}</button>
</form>`;
  return { tab: "sessions", title: texts.sessions.new, main };
};

/** Opens a session with the checks of POST /checkout-sessions. */
export const openSession: ActionHandler = async (action) => {
  const { service, form, texts } = action;
  const currency = currencies.find((name) => name === form.get("currency_code"));
  if (currency === undefined) throw new FormProblem(texts.problems.currency(currencies.join(", ")));
  const request = validate(
    checkoutSessionRequestSchema,
    requestFrom(form, currency, parseAmount(action, form.get("amount") ?? "", currency)),
  );
  const owner = await readMerchantFields(action, form);
  const { session_id } = await inDatabaseTransaction(service, (context) => createSession(context, owner, request));
  return { to: pageUrl("sessions", session_id), flashMessage: "session-opened" };
};

function requestFrom(form: URLSearchParams, currency_code: Currency, amount: number): Record<string, unknown> {
  const texts = textFields.map((name) => [name, (form.get(name) ?? "").trim()] as const);
  return { amount, currency_code, ...Object.fromEntries(texts.filter(([, text]) => text !== "")) };
}
