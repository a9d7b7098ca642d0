import { formatMoney, type Payment, type Refund } from "@tillkit/core";
import type { Page } from "@tillkit/core/ledger";
import { sentReason } from "../../export/sent-reason.ts";
import { type Html, html } from "../../pages/html.ts";
import { listTexts } from "../texts/list-texts.ts";
import { REFUND_REASONS, refundTexts } from "../texts/refund-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { pager, paymentUrl, time } from "./rows.ts";
import { ago, emptyList, openLink, table } from "./table.ts";

type ShownRefund = { readonly refund: Refund; readonly payment: Payment | null };

/** All refunds of all shops, the newest first. */
export function refundsPage(
  { page, after }: { readonly page: Page<ShownRefund>; readonly after: string | null },
  context: PageContext,
): OperatorPage {
  const texts = refundTexts[context.language];
  const body = html`<h1>${texts.list}</h1>
${page.rows.length === 0 ? emptyList(...listTexts[context.language].empty.refunds) : html`<p>${texts.listLead}</p>${refundTable(page.rows, context)}`}
${pager(`${context.base}/refunds`, { next: page.next, after }, context)}`;
  return { title: texts.list, body, menuItem: "refunds" };
}

function refundTable(refunds: readonly ShownRefund[], context: PageContext): Html {
  const names = listTexts[context.language];
  const columns = [
    { name: names.order },
    { name: names.amount, kind: "amount" },
    { name: names.state, kind: "state" },
    { name: names.reason },
    { name: names.origin, kind: "full" },
    { name: names.requested, kind: "when", isSorted: true },
  ] as const;
  const rows = refunds.map(({ refund, payment }) => {
    const { amount, refundId, requestedAt, state } = refund;
    const origin = [originOf(refund, context), payment?.ref.storeId].filter(Boolean).join(" · ");
    return {
      cells: [
        payment && openLink(paymentUrl(payment.id, context), payment.orderNumber),
        formatMoney(amount, context.language),
        refundBadge(refund, context),
        reasonOf(refund, context),
        html`<span class="soft">${origin}</span>${refundId !== null && html`<span class="small number">${refundId}</span>`}`,
        ago(requestedAt, context),
      ],
      isAlarm: state === "failed" || state === "unknown",
    };
  });
  return table(refundTexts[context.language].list, columns, rows);
}

/** One refund on the page of its payment. */
export function refundRow(refund: Refund, context: PageContext): Html {
  const { amount, refundId, requestedAt } = refund;
  return html`<li><div class="row"><span class="amount">${formatMoney(amount, context.language)}</span>
${refundBadge(refund, context)}
<span class="time">${time(requestedAt, context)}</span></div>
<p class="small">${[reasonOf(refund, context), originOf(refund, context)].filter(Boolean).join(" · ")}</p>
${refundId !== null && html`<p class="small number">${refundId}</p>`}</li>`;
}

function refundBadge({ state }: Refund, { texts }: PageContext): Html {
  return html`<span class="badge ${BADGE_CLASSES[state] ?? "calm"}">${texts.payment.refundStates[state]}</span>`;
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
