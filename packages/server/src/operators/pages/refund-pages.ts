import {
  amountPaid,
  type Dispute,
  decimalText,
  formatMoney,
  type Money,
  type Payment,
  type Refund,
  refundableAmount,
} from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import { REFUND_REASONS, type RefundReason, refundTexts } from "../texts/refund-texts.ts";
import { nameField } from "./decision-pages.ts";
import { disputeCard } from "./dispute-rows.ts";
import { formTokenField, type OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { orderTitle, paymentUrl } from "./rows.ts";

type RefundForm = {
  readonly payment: Payment;
  readonly refunds: readonly Refund[];
  readonly fields: { readonly amount: string; readonly reason: string; readonly by: string };
  readonly isInDoubt: boolean;
  /** A sentence about what is wrong with the fields; null before the form was sent. */
  readonly problem: string | null;
};

/** The first step: how much, why and by whom. */
export function refundFormPage(form: RefundForm, context: PageContext): OperatorPage {
  const { payment, refunds, isInDoubt, problem } = form;
  const texts = refundTexts[context.language];
  const url = paymentUrl(payment.id, context);
  const left = refundableAmount(payment, refunds);
  const obstacle = obstacleTo({ isInDoubt, left }, texts);
  const body = html`<p class="back"><a href="${url}">${orderTitle(payment, context)}</a></p>
<h1>${texts.heading}</h1>
${problem !== null && html`<p class="card care" role="alert" id="problem">${problem}</p>`}
${sums(payment, refunds, [[texts.left, left]], context)}
${obstacle === null ? refundForm(form, left, context) : html`<p class="card attention">${obstacle}</p>`}`;
  return { title: `${texts.heading} · ${orderTitle(payment, context)}`, body, menuItem: null };
}

function obstacleTo(
  { isInDoubt, left }: { readonly isInDoubt: boolean; readonly left: Money },
  texts: { readonly wait: string; readonly nothingLeft: string },
): string | null {
  if (isInDoubt) return texts.wait;
  return left.minor === 0 ? texts.nothingLeft : null;
}

function refundForm({ payment, fields, problem }: RefundForm, left: Money, context: PageContext): Html {
  const texts = refundTexts[context.language];
  const url = paymentUrl(payment.id, context);
  const errorAttributes = problem !== null && html` aria-invalid="true" aria-describedby="problem amount-hint"`;
  const options = REFUND_REASONS.map(
    (reason) =>
      html`<option value="${reason}"${reason === fields.reason && html` selected`}>${texts.reasons[reason]}</option>`,
  );
  return html`<p>${texts.lead}</p>
<form class="card" action="${url}/refund" method="post">${formTokenField(context)}
<div class="fields">
<div class="field"><label for="amount">${texts.amount}, ${left.currency}</label><input id="amount" name="amount" required inputmode="decimal" maxlength="24" autocomplete="off" value="${fields.amount}"${errorAttributes || html` aria-describedby="amount-hint"`}><p class="hint" id="amount-hint">${texts.amountHint(formatMoney(left, context.language))}</p></div>
<div class="field"><label for="reason">${texts.reason}</label><select id="reason" name="reason" required><option value=""></option>${options}</select></div>
</div>
${nameField(context, fields.by)}
<div class="actions"><button>${texts.next}</button><a class="button second" href="${url}">${texts.back}</a></div>
</form>`;
}

type RefundPreview = {
  readonly payment: Payment;
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly now: number;
  readonly amount: Money;
  readonly reason: RefundReason;
  readonly by: string;
  /** The key of this decision. */
  readonly decision: string;
  /** The refunds and disputes that this preview is based on. */
  readonly seen: string;
  /** Whether the shop's order will show the refund; null when that is not known. */
  readonly recordsInShop: boolean | null;
};

/** The second step: everything that the refund does, and the button that sends it. */
export function refundConfirmPage(preview: RefundPreview, context: PageContext): OperatorPage {
  const { payment, refunds, disputes, now, amount, reason, by, decision, seen, recordsInShop } = preview;
  const texts = refundTexts[context.language];
  const url = paymentUrl(payment.id, context);
  const amountText = formatMoney(amount, context.language);
  const left = refundableAmount(payment, refunds);
  const leftAfter = { ...left, minor: left.minor - amount.minor };
  const inShop = recordsInShop ? texts.shopRecords : texts.shopDoesNot;
  const values = { amount: decimalText(amount), reason, by, decision, seen };
  const hidden = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  const body = html`<p class="back"><a href="${url}">${orderTitle(payment, context)}</a> · ${payment.ref.storeId}</p>
<h1>${texts.confirmHeading(amountText)}</h1>
${disputes.map((dispute) => disputeCard(dispute, now, context))}
${sums(
  payment,
  refunds,
  [
    [texts.thisRefund, amount],
    [texts.leftAfter, leftAfter],
  ],
  context,
)}
<dl class="facts"><div><dt>${texts.reason}</dt><dd>${texts.reasons[reason]}</dd></div><div><dt>${texts.decidedBy}</dt><dd>${by}</dd></div></dl>
<p class="card attention">${texts.final} ${recordsInShop === null ? "" : inShop}</p>
<form action="${url}/refund/confirm" method="post">${formTokenField(context)}
${hidden}<div class="actions"><button>${texts.button(amountText)}</button><a class="button second" href="${url}/refund">${texts.change}</a><a href="${url}">${texts.back}</a></div>
</form>`;
  return { title: texts.confirmHeading(amountText), body, menuItem: null };
}

/** Rows of amounts: what was paid, what was refunded before, and `lastRows`. */
function sums(
  payment: Payment,
  refunds: readonly Refund[],
  lastRows: readonly (readonly [name: string, amount: Money])[],
  { language }: PageContext,
): Html {
  const texts = refundTexts[language];
  const paid = amountPaid(payment);
  const total = (state: Refund["state"]): Money => {
    const amounts = refunds.filter((refund) => refund.state === state).map(({ amount }) => amount.minor);
    return { ...paid, minor: amounts.reduce((sum, minor) => sum + minor, 0) };
  };
  const pending = total("pending");
  const rows: readonly (readonly [string, Money])[] = [
    [texts.paid, paid],
    [texts.before, total("completed")],
    ...(pending.minor === 0 ? [] : [[texts.pending, pending] as const]),
    ...lastRows,
  ];
  return html`<dl class="sums">${rows.map(([name, amount]) => html`<div><dt>${name}</dt><dd>${formatMoney(amount, language)}</dd></div>\n`)}</dl>`;
}
