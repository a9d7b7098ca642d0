import { formatMoney, type Page, type Payment, type Refund } from "@tillkit/core";
import { sentReason } from "../../export/sent-reason.ts";
import { type Html, html } from "../../pages/html.ts";
import { REFUND_REASONS, refundTexts } from "../texts/refund-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { orderTitle, pager, paymentUrl, rows, time } from "./rows.ts";

type ShownRefund = { readonly refund: Refund; readonly payment: Payment | null };

/** All refunds of all shops, the newest first. */
export function refundsPage(
  { page, after }: { readonly page: Page<ShownRefund>; readonly after: string | null },
  context: PageContext,
): OperatorPage {
  const texts = refundTexts[context.language];
  const items = page.rows.map(({ refund, payment }) => refundRow(refund, payment, context));
  const body = html`<h1>${texts.list}</h1>
<p>${texts.listLead}</p>
${rows(items, context)}
${pager(`${context.base}/refunds`, { next: page.next, after }, context)}`;
  return { title: texts.list, body, menuItem: "refunds" };
}

/** One refund; with its payment, the row leads to the payment's page. */
export function refundRow(refund: Refund, payment: Payment | null, context: PageContext): Html {
  const { texts, language } = context;
  const { amount, state, refundId, requestedAt } = refund;
  const badgeClass = BADGE_CLASSES[state] ?? "calm";
  return html`<li><div class="row">${payment && html`<a href="${paymentUrl(payment.id, context)}">${orderTitle(payment, context)}</a>`}
<span class="amount">${formatMoney(amount, language)}</span>
<span class="badge ${badgeClass}">${texts.payment.refundStates[state]}</span>
<span class="time">${time(requestedAt, context)}</span></div>
<p class="small">${[reasonOf(refund, context), originOf(refund, context), payment?.ref.storeId].filter(Boolean).join(" · ")}</p>
${refundId !== null && html`<p class="small number">${refundId}</p>`}</li>`;
}

/** CSS classes: `care` for a refund that needs attention, `good` for success. Other refunds get `calm`. */
const BADGE_CLASSES: Readonly<Partial<Record<Refund["state"], string>>> = { failed: "care", completed: "good" };

function originOf({ origin }: Refund, { language }: PageContext): string {
  const texts = refundTexts[language];
  return { store: texts.inShop, service: texts.inDashboard, tillkit: texts.here }[origin];
}

// Null also for a reason of a shop that these pages do not list.
function reasonOf(refund: Refund, { language }: PageContext): string | null {
  const sent = sentReason(refund);
  const reason = REFUND_REASONS.find((known) => known === sent);
  return reason === undefined ? null : refundTexts[language].reasons[reason];
}
