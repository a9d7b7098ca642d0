import { type Dispute, formatMoney, type Payment, type Refund } from "@tillkit/core";
import type { TransactionCandidate } from "@tillkit/core/back-office";
import { type Html, html } from "../../pages/html.ts";
import { answerTexts } from "../texts/answer-texts.ts";
import { methodText } from "../texts/payment-texts.ts";
import { nameField } from "./decision-pages.ts";
import { disputeCard } from "./dispute-rows.ts";
import { formTokenField, hiddenFields } from "./form-fields.ts";
import type { OperatorPage } from "./layout.ts";
import { transactionName } from "./money-table.ts";
import type { PageContext } from "./page-context.ts";
import { orderTitle, paymentUrl, time } from "./rows.ts";

/** `seen` names what the page shows of the payment's money. */
type Asked = { readonly payment: Payment; readonly seen: string };

/** "I have looked in the dashboard": whether a refund without an answer was made. */
export function refundResultPage(
  { refund, ...asked }: Asked & { readonly refund: Refund },
  context: PageContext,
): OperatorPage {
  const texts = answerTexts[context.language].refund;
  const { key, amount, requestedAt, transactionId } = refund;
  const facts = html`<p>${texts.how}</p>
<dl class="facts"><div><dt>${texts.requested}</dt><dd>${time(requestedAt, context)}</dd></div><div><dt>${texts.transaction}</dt><dd class="number">${transactionId}</dd></div></dl>
<p class="card attention">${texts.after}</p>`;
  return answerPage(
    {
      ...asked,
      question: texts.question(formatMoney(amount, context.language)),
      facts,
      action: "/refund/result",
      values: { key },
      answers: { made: texts.made, not_made: texts.notMade },
    },
    context,
  );
}

/** "We won it" or "we lost it", for a dispute whose outcome the service did not report. */
export function disputeOutcomePage(
  { dispute, now, ...asked }: Asked & { readonly dispute: Dispute; readonly now: number },
  context: PageContext,
): OperatorPage {
  const texts = answerTexts[context.language].dispute;
  const { question, how, won, lost } = texts;
  const facts = html`<p>${how}</p>${disputeCard(dispute, now, context)}`;
  const values = { dispute: dispute.id };
  return answerPage({ ...asked, question, facts, action: "/dispute", values, answers: { won, lost } }, context);
}

/** The transactions of which one may have paid the session. A person chooses once. */
export function transactionPage(
  { candidates, ...asked }: Asked & { readonly candidates: readonly TransactionCandidate[] },
  context: PageContext,
): OperatorPage {
  const texts = answerTexts[context.language].transaction;
  const facts = html`<p>${texts.lead}</p>`;
  const choice =
    candidates.length === 0
      ? html`<p class="card attention">${texts.none}</p>`
      : html`<fieldset class="rows">${candidates.map((candidate) => candidateRow(candidate, context))}</fieldset>
<p class="card attention">${texts.after}</p>`;
  const answers: Readonly<Record<string, string>> = candidates.length > 0 ? { chosen: texts.button } : {};
  return answerPage(
    { ...asked, question: texts.question, facts, action: "/transaction", values: {}, choice, answers },
    context,
  );
}

function candidateRow(candidate: TransactionCandidate, context: PageContext): Html {
  const { id, amount, at, provider } = candidate;
  const method = methodText(provider, context.language);
  return html`<label class="choice"><input type="radio" name="transaction" value="${id}" required>
<span class="row"><span class="number">${transactionName(candidate)}</span> <span class="amount">${formatMoney(amount, context.language)}</span> <span class="small">${method}</span> <span class="time">${time(at, context)}</span></span></label>\n`;
}

type Question = Asked & {
  readonly question: string;
  readonly facts: Html;
  /** Where the answer is sent, under the payment's own address. */
  readonly action: string;
  readonly values: Readonly<Record<string, string>>;
  /** Fields of the answer inside the form. */
  readonly choice?: Html;
  /** The buttons by the value of `answer`; without buttons there is only the way back. */
  readonly answers: Readonly<Record<string, string>>;
};

function answerPage(
  { payment, seen, question, facts, action, values, choice, answers }: Question,
  context: PageContext,
): OperatorPage {
  const url = paymentUrl(payment.id, context);
  const buttons = Object.entries(answers);
  const back = html`<a class="button second" href="${url}">${context.texts.decide.back}</a>`;
  const body = html`<p class="back"><a href="${url}">${orderTitle(payment, context)}</a> · ${payment.ref.storeId}</p>
<h1>${question}</h1>
${facts}
<form action="${url}${action}" method="post">${formTokenField(context)}
${hiddenFields({ ...values, seen })}${choice}
${buttons.length > 0 && nameField(context)}
<div class="actions">${buttons.map(([value, label]) => html`<button name="answer" value="${value}">${label}</button>`)}${back}</div>
</form>`;
  return { title: question, body, menuItem: "payments" };
}
