import { type Equation, formatMoney, type Language, type Money } from "@tillkit/core";
import { isCertain, namesTransaction, type PaidTransaction } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { moneyTexts } from "../texts/money-texts.ts";
import type { PageContext } from "./page-context.ts";
import { paymentUrl, time } from "./rows.ts";

/** Where the money of a payment is, as a table of amounts; empty while nothing arrived. */
export function moneyTable(equation: Equation, context: PageContext): Html {
  const texts = moneyTexts[context.language];
  const { received, returned, leaving, disputed, available } = equation;
  if ([received, returned, leaving, disputed].every(({ minor }) => minor === 0)) return html``;
  const isShort = available.minor < 0;
  return html`${amountRows(
    [
      [texts.arrived, received],
      [texts.returned, returned],
      [texts.leaving, leaving],
      [texts.disputed, disputed],
      [isShort ? texts.shortfall : texts.available, available],
    ],
    context,
  )}${isShort && html`<p class="card care">${texts.shortfallHint}</p>`}`;
}

/** What stands beside amounts of this currency, such as "F CFA": a field or a heading names it by the same mark. */
export function currencyMark(currency: string, language: Language): string {
  return formatMoney({ minor: 0, currency }, language)
    .replace(/0(?:[.,]0+)?/, "")
    .trim();
}

export function amountRows(rows: readonly (readonly [name: string, amount: Money])[], { language }: PageContext): Html {
  return html`<dl class="sums">${rows.map(([name, amount]) => html`<div><dt>${name}</dt><dd>${formatMoney(amount, language)}</dd></div>\n`)}</dl>`;
}

/** What people call a transaction: its short code, or its id. */
export function transactionName({ id, code }: Pick<PaidTransaction, "id" | "code">): string {
  return code ?? id;
}

type ShownTransactions = {
  readonly paymentId: string;
  readonly transactions: readonly PaidTransaction[];
  readonly equations: readonly Equation[];
  /** Who named each transaction by hand, by its id. */
  readonly namedBy: ReadonlyMap<string, string>;
};

/** The transactions of a payment with the evidence that ties each to it. The money of every further one is the shopper's. */
export function transactionRows(shown: ShownTransactions, context: PageContext): Html {
  return html`<ul class="rows">${shown.transactions.map((transaction) => transactionRow(transaction, shown, context))}</ul>`;
}

function transactionRow(transaction: PaidTransaction, shown: ShownTransactions, context: PageContext): Html {
  const { language, operator } = context;
  const texts = moneyTexts[language];
  const { id, amount, at, evidence } = transaction;
  const position = shown.equations.findIndex(({ transactionId }) => namesTransaction(transactionId ?? "", transaction));
  const equation = shown.equations[position];
  const isSurplus = position > 0 && equation !== undefined && equation.available.minor > 0;
  const url = `${paymentUrl(shown.paymentId, context)}/refund?transaction=${encodeURIComponent(id)}`;
  return html`<li${isSurplus && html` class="attention"`}><div class="row"><span class="number">${transactionName(transaction)}</span>
<span class="amount">${formatMoney(amount, language)}</span>
<span class="badge ${isCertain(transaction) ? "good" : "calm"}">${texts.evidence[evidence]}</span>
<span class="time">${time(at, context)}</span></div>
${evidence === "person" && shown.namedBy.has(id) && html`<p class="small">${texts.namedBy(shown.namedBy.get(id) ?? "")}</p>`}
${evidence === "resemblance" && html`<p class="small">${texts.candidateHint}</p>`}
${isSurplus && html`<p>${texts.surplus(formatMoney(equation.available, language))}</p>`}
${isSurplus && operator.canDecide && html`<div class="actions"><a class="button second" href="${url}">${texts.refundSurplus}</a></div>`}</li>`;
}
