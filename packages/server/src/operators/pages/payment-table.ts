import { formatMoney, type Payment } from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import { listTexts } from "../texts/list-texts.ts";
import { methodText } from "../texts/payment-texts.ts";
import type { PageContext } from "./page-context.ts";
import { paymentUrl, stateBadge } from "./rows.ts";
import { ago, type Column, openLink, table } from "./table.ts";

type PaymentTable = {
  readonly caption: string;
  readonly payments: readonly Payment[];
  /** How each payment was paid, by payment id; a payment without an entry shows no method. */
  readonly methods?: ReadonlyMap<string, string | null>;
  /** The id of the form that gets the chosen payments; without one, nothing can be chosen. */
  readonly form?: string;
};

/** Payments, the newest first. The shop is a column only where there are several. */
export function paymentTable({ caption, payments, methods, form }: PaymentTable, context: PageContext): Html {
  const texts = listTexts[context.language];
  const { language } = context;
  const hasStores = new Set(payments.map(({ ref }) => ref.storeId)).size > 1;
  const columns: readonly Column[] = [
    ...(form === undefined ? [] : [{ name: texts.choose, kind: "pick" } as const]),
    { name: texts.order },
    { name: texts.amount, kind: "amount" },
    { name: texts.state, kind: "state" },
    ...(methods === undefined ? [] : [{ name: texts.method }]),
    ...(hasStores ? [{ name: texts.store }] : []),
    { name: texts.created, kind: "when", isSorted: true },
  ];
  const rows = payments.map((payment) => {
    const { id, orderNumber, amountDue, state, ref, createdAt } = payment;
    return {
      cells: [
        ...(form === undefined ? [] : [pick(payment, form, context)]),
        openLink(paymentUrl(id, context), orderNumber),
        formatMoney(amountDue, language),
        stateBadge(state, context),
        ...(methods === undefined ? [] : [methodCell(methods.get(id) ?? null, context)]),
        ...(hasStores ? [html`<span class="soft">${ref.storeId}</span>`] : []),
        ago(createdAt, context),
      ],
    };
  });
  return table(caption, columns, rows);
}

function pick({ id, orderNumber }: Payment, form: string, { language }: PageContext): Html {
  return html`<label><input type="checkbox" name="payment" value="${id}" form="${form}" aria-label="${listTexts[language].chooseOne(orderNumber)}"></label>`;
}

/** The mark of a method and its name; nothing while the method is not known. */
function methodCell(method: string | null, { language }: PageContext): Html | null {
  if (method === null) return null;
  const name = methodText(method, language);
  return html`<span class="mark" aria-hidden="true">${method === "CARD" ? "▭" : name.slice(0, 1)}</span>${name}`;
}
