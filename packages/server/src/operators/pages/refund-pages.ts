import { decimalText, type Equation, explainRefusal, formatMoney, type Money, type Refusal } from "@tillkit/core";
import { isHeld, type View } from "@tillkit/core/back-office";
import { type Html, html } from "../../pages/html.ts";
import { moneyTexts } from "../texts/money-texts.ts";
import { REFUND_REASONS, type RefundReason, refundTexts } from "../texts/refund-texts.ts";
import { nameField } from "./decision-pages.ts";
import { disputeCard } from "./dispute-rows.ts";
import { formTokenField, hiddenFields } from "./form-fields.ts";
import type { OperatorPage } from "./layout.ts";
import { amountRows, currencyMark, transactionName } from "./money-table.ts";
import type { PageContext } from "./page-context.ts";
import { orderTitle, paymentUrl } from "./rows.ts";

/** The refund that a person prepares. */
type RefundSubject = {
  readonly view: View;
  /** Where the money of the transaction that is to be refunded is. */
  readonly equation: Equation;
};

type RefundForm = RefundSubject & {
  /** Why no amount can be chosen now. */
  readonly obstacle: Refusal | null;
  readonly fields: { readonly amount: string; readonly reason: string; readonly by: string };
  /** A sentence about what is wrong with the fields; null before the form was sent. */
  readonly problem: string | null;
  /** The disputed sum that a second step may confirm, where that is the problem. */
  readonly disputed?: Money | undefined;
};

/** The first step: how much, why and by whom. */
export function refundFormPage(form: RefundForm, context: PageContext): OperatorPage {
  const { equation, obstacle, problem, disputed } = form;
  const { payment } = form.view;
  const texts = refundTexts[context.language];
  const url = paymentUrl(payment.id, context);
  const body = html`<p class="back"><a href="${url}">${orderTitle(payment, context)}</a></p>
<h1>${texts.heading}</h1>
${problem !== null && html`<p class="card care" role="alert" id="problem">${problem}</p>`}
${disputed && secondStep(form, disputed, context)}
${amountsOf(equation, [[equation.available.minor < 0 ? moneyTexts[context.language].shortfall : texts.left, equation.available]], context)}
${obstacle === null ? refundForm(form, context) : html`<p class="card attention">${explainRefusal(obstacle, context.language)}</p>`}`;
  return { title: `${texts.heading} · ${orderTitle(payment, context)}`, body, menuItem: "payments" };
}

function refundForm(form: RefundForm, context: PageContext): Html {
  const { equation, fields, problem } = form;
  const { payment } = form.view;
  const texts = refundTexts[context.language];
  const url = paymentUrl(payment.id, context);
  const { available, disputed } = equation;
  const text = (amount: Money) => formatMoney(amount, context.language);
  const hint = available.minor > 0 ? texts.amountHint(text(available)) : texts.allDisputed(text(disputed));
  const errorAttributes = problem !== null && html` aria-invalid="true" aria-describedby="problem amount-hint"`;
  const options = REFUND_REASONS.map(
    (reason) =>
      html`<option value="${reason}"${reason === fields.reason && html` selected`}>${texts.reasons[reason]}</option>`,
  );
  return html`<p>${texts.lead}</p>
<form class="card" action="${url}/refund" method="post">${formTokenField(context)}
${hiddenFields(subjectFields(form))}${transactionField(form, context)}<div class="fields">
<div class="field"><label for="amount">${texts.amount}, ${currencyMark(available.currency, context.language)}</label><input id="amount" name="amount" required inputmode="decimal" maxlength="24" autocomplete="off" value="${fields.amount}"${errorAttributes || html` aria-describedby="amount-hint"`}><p class="hint" id="amount-hint">${hint}</p></div>
<div class="field"><label for="reason">${texts.reason}</label><select id="reason" name="reason" required><option value="">${texts.chooseReason}</option>${options}</select></div>
</div>
${nameField(context, fields.by)}
<div class="actions"><button>${texts.next}</button><a class="button second" href="${url}">${texts.back}</a></div>
</form>`;
}

/** The same refund once more, with the disputed sum that the person has now seen. */
function secondStep(form: RefundForm, disputed: Money, context: PageContext): Html {
  const { equation, fields } = form;
  const { payment } = form.view;
  const texts = refundTexts[context.language];
  const values = {
    ...fields,
    ...subjectFields(form),
    transaction: equation.transactionId ?? "",
    over: decimalText(disputed),
  };
  return html`<form class="card attention" action="${paymentUrl(payment.id, context)}/refund" method="post">${formTokenField(context)}
${hiddenFields(values)}<p>${texts.overDisputeLead}</p>
<div class="actions"><button class="second">${texts.overDisputeButton}</button></div>
</form>`;
}

/** A choice where the session received several transactions. */
function transactionField({ view, equation }: RefundForm, { language }: PageContext): Html {
  const { sums, movements } = view;
  if (sums.length === 1) return html``;
  const options = sums.map(({ transactionId, available }) => {
    const known = movements.transactions.find(({ id }) => id === transactionId);
    const name = known ? transactionName(known) : (transactionId ?? "");
    return html`<option value="${transactionId}"${transactionId === equation.transactionId && html` selected`}>${name} · ${formatMoney(available, language)}</option>`;
  });
  return html`<div class="field"><label for="transaction">${refundTexts[language].transaction}</label><select id="transaction" name="transaction">${options}</select></div>`;
}

// Whether the payment was held when the form was opened.
function subjectFields({ view }: RefundSubject): Readonly<Record<string, string>> {
  return isHeld(view.payment) ? { held: "yes" } : {};
}

type RefundPreview = RefundSubject & {
  readonly now: number;
  readonly amount: Money;
  readonly reason: RefundReason;
  /** The disputed sum that the person has confirmed; null for a refund that leaves disputed money alone. */
  readonly overDispute: Money | null;
  readonly by: string;
  /** The key of this decision. */
  readonly decision: string;
  /** Whether the shop's order will show the refund; null when that is not known. */
  readonly recordsInShop: boolean | null;
};

/** The last step: everything that the refund does, and the button that sends it. */
export function refundConfirmPage(preview: RefundPreview, context: PageContext): OperatorPage {
  const { view, equation, now, amount, reason, overDispute, by, decision, recordsInShop } = preview;
  const { payment, movements } = view;
  const texts = refundTexts[context.language];
  const url = paymentUrl(payment.id, context);
  const amountText = formatMoney(amount, context.language);
  const leftAfter = { ...equation.available, minor: equation.available.minor - amount.minor };
  const inShop = recordsInShop ? texts.shopRecords : texts.shopDoesNot;
  const values = {
    amount: decimalText(amount),
    reason,
    by,
    decision,
    seen: view.seen,
    ...subjectFields(preview),
    ...(view.sums.length > 1 ? { transaction: equation.transactionId ?? "" } : {}),
    ...(overDispute === null ? {} : { over: decimalText(overDispute) }),
  };
  const body = html`<p class="back"><a href="${url}">${orderTitle(payment, context)}</a> · ${payment.ref.storeId}</p>
<h1>${texts.confirmHeading(amountText)}</h1>
${overDispute !== null && html`<p class="card care" role="alert">${texts.overDisputeFinal(formatMoney(overDispute, context.language))}</p>`}
${movements.disputes.map((dispute) => disputeCard(dispute, now, context))}
${amountsOf(
  equation,
  [
    [texts.thisRefund, amount],
    [texts.leftAfter, leftAfter],
  ],
  context,
)}
<dl class="facts"><div><dt>${texts.reason}</dt><dd>${texts.reasons[reason]}</dd></div><div><dt>${texts.decidedBy}</dt><dd>${by}</dd></div></dl>
<p class="card attention">${texts.final} ${recordsInShop === null ? "" : inShop}</p>
<form action="${url}/refund/confirm" method="post">${formTokenField(context)}
${hiddenFields(values)}<div class="actions"><button>${texts.button(amountText)}</button><a class="button second" href="${url}/refund">${texts.change}</a><a href="${url}">${texts.back}</a></div>
</form>`;
  return { title: texts.confirmHeading(amountText), body, menuItem: "payments" };
}

/** Rows of amounts: what was paid, what left before or is disputed, and `lastRows`. */
function amountsOf(
  { received, returned, leaving, disputed }: Equation,
  lastRows: readonly (readonly [name: string, amount: Money])[],
  context: PageContext,
): Html {
  const texts = refundTexts[context.language];
  const isThere = ([, { minor }]: readonly [string, Money]) => minor !== 0;
  const rows: readonly (readonly [string, Money])[] = [
    [texts.paid, received],
    [texts.before, returned],
    ...(
      [
        [texts.pending, leaving],
        [moneyTexts[context.language].disputed, disputed],
      ] as const
    ).filter(isThere),
    ...lastRows,
  ];
  return amountRows(rows, context);
}
