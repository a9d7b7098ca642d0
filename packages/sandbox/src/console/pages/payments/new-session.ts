import { checkoutSessionRequestSchema } from "@tillkit/client/schemas";
import { ApiError } from "../../../domain/api-error.ts";
import { type Currency, currencies } from "../../../domain/currencies.ts";
import { validate } from "../../../http/validate.ts";
import { html } from "../../../pages/html.ts";
import { createSession } from "../../../payments/sessions.ts";
import { inDatabaseTransaction, type Service } from "../../../runtime/service.ts";
import { parseAmount } from "../../components/amount-input.ts";
import { selectField, textField } from "../../components/forms.ts";
import { merchantFields, readMerchantFields } from "../../components/merchant-fields.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, PageHandler } from "../../components/section.ts";

/** The text fields of the form that are also fields of the request. Empty fields are left out of the request. */
const textFields = ["title", "description", "customer_name", "customer_email", "success_url", "cancel_url"] as const;

export const newSessionPage: PageHandler = async ({ service, draft }) => {
  const draftValue = (name: string, initial = "") => draft.get(name) ?? initial;
  const currencyNames = Object.fromEntries(currencies.map((currency) => [currency, currency]));
  const main = html`<p class="breadcrumb"><a href="${pageUrl("sessions")}">Sessions</a></p>
<h1>New session</h1>
<form method="post" action="${pageUrl("sessions", "new")}" class="sheet">
${textField({ name: "amount", label: "Amount", value: draftValue("amount", "5000"), attributes: html`inputmode="decimal" required` })}${selectField({ name: "currency_code", label: "Currency", choices: currencyNames, chosen: draftValue("currency_code") })}
${textField({ name: "title", label: "Order, as the shopper reads it", value: draftValue("title", "Order 1042"), attributes: html`required maxlength="255"` })}${textField({ name: "description", label: "Description", value: draftValue("description"), attributes: html`maxlength="1000"` })}
${textField({ name: "customer_name", label: "Shopper’s name", value: draftValue("customer_name") })}${textField({ name: "customer_email", label: "Shopper’s e-mail", value: draftValue("customer_email"), attributes: html`type="email"` })}
${textField({ name: "success_url", label: "Back to the shop when paid", value: draftValue("success_url"), attributes: html`type="url" placeholder="https://shop.example/return"` })}${textField({ name: "cancel_url", label: "Back to the shop when cancelled", value: draftValue("cancel_url"), attributes: html`type="url" placeholder="https://shop.example/cart"` })}
${await merchantFields(service, draft)}
<button>Create</button>
</form>`;
  return { tab: "sessions", title: "New session", main };
};

/** Opens a session with the checks of POST /checkout-sessions. */
export const openSession: ActionHandler = async ({ service, form }) => {
  const currency = currencies.find((name) => name === form.get("currency_code"));
  if (currency === undefined) throw new ApiError("bad_request", `Choose a currency: ${currencies.join(", ")}.`);
  const request = validate(
    checkoutSessionRequestSchema,
    requestFrom(form, currency, amountIn(service, form, currency)),
  );
  const owner = await readMerchantFields(service, form);
  const { session_id } = await inDatabaseTransaction(service, (context) => createSession(context, owner, request));
  return { to: pageUrl("sessions", session_id), flashMessage: "session-opened" };
};

function amountIn({ settings }: Service, form: URLSearchParams, currency: Currency): number {
  return parseAmount(form.get("amount") ?? "", currency, settings.amountExponents);
}

function requestFrom(form: URLSearchParams, currency_code: Currency, amount: number): Record<string, unknown> {
  const texts = textFields.map((name) => [name, (form.get(name) ?? "").trim()] as const);
  return { amount, currency_code, ...Object.fromEntries(texts.filter(([, text]) => text !== "")) };
}
