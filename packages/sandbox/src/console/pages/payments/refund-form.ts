import { readOwner } from "../../../organizations/organizations.ts";
import { type Html, html } from "../../../pages/html.ts";
import { readTransaction } from "../../../payments/transactions.ts";
import { createRefund, readRefundableTransaction } from "../../../reversals/refunds.ts";
import { inDatabaseTransaction } from "../../../runtime/service.ts";
import type { TransactionRow } from "../../../storage/payment-tables.ts";
import { amountInputValue, parseAmount } from "../../components/amount-input.ts";
import { textField } from "../../components/forms.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, PageContext } from "../../components/section.ts";

/** The form that refunds a completed transaction. The form proposes the amount that is not refunded yet. */
export function refundForm(
  { service: { settings }, texts: { refunds } }: PageContext,
  transaction: TransactionRow,
): Html | false {
  const { transaction_id, status, gross_amount, refunded_amount, currency_code } = transaction;
  const refundable = gross_amount - refunded_amount;
  if (status !== "completed" || refundable <= 0) return false;
  const value = amountInputValue(refundable, currency_code, settings.amountExponents);
  return html`<form method="post" action="${pageUrl("transactions", transaction_id)}/refund" class="control-form">${textField({ name: "amount", label: refunds.amount(currency_code), value, attributes: html`inputmode="decimal" required` })}${textField({ name: "reason", label: refunds.reason, value: "" })}<button>${refunds.refund}</button></form>`;
}

/** Refunds with the checks of POST /refunds but without the confirmation preview, then opens the page of the refund. */
export const refund: ActionHandler = async (action) => {
  const { service, id, form } = action;
  const { store } = service;
  const { transaction_id, currency_code, ...row } = await readTransaction(store.database, id);
  const owner = await readOwner(store.database, row);
  const reason = (form.get("reason") ?? "").trim();
  const request = {
    transaction_id,
    amount: parseAmount(action, form.get("amount") ?? "", currency_code),
    ...(reason === "" ? {} : { reason }),
  };
  const { refund_id } = await inDatabaseTransaction(service, async (context) => {
    const transaction = await readRefundableTransaction(context, owner, request);
    return createRefund(context, owner, transaction, request);
  });
  return { to: pageUrl("refunds", refund_id), flashMessage: "refunded" };
};
