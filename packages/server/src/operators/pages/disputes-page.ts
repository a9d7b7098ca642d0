import { formatMoney } from "@tillkit/core";
import { isOpenDispute, type Page } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { listTexts } from "../texts/list-texts.ts";
import { disputeBadge, disputeReason, type ShownDispute } from "./dispute-rows.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { pager, paymentUrl, time } from "./rows.ts";
import { ago, emptyList, openLink, table } from "./table.ts";

/** All disputes, with open disputes first. */
export function disputesPage(
  { page, after }: { readonly page: Page<ShownDispute>; readonly after: string | null },
  context: PageContext,
): OperatorPage {
  const { texts, base, language } = context;
  const body = html`<h1>${texts.disputes.heading}</h1>
${page.rows.length === 0 ? emptyList(...listTexts[language].empty.disputes) : html`<p>${texts.disputes.lead}</p>${disputeTable(page.rows, context)}`}
${pager(`${base}/disputes`, { next: page.next, after }, context)}`;
  return { title: texts.disputes.heading, body, menuItem: "disputes" };
}

function disputeTable(disputes: readonly ShownDispute[], context: PageContext): Html {
  const { texts, language } = context;
  const names = listTexts[language];
  const columns = [
    { name: names.order },
    { name: names.amount, kind: "amount" },
    { name: names.state, kind: "state" },
    { name: names.deadline },
    { name: names.reason, kind: "full" },
    { name: names.opened, kind: "when" },
  ] as const;
  const rows = disputes.map(({ dispute, orderNumber }) => {
    const { amount, paymentId, evidenceDueBy, openedAt } = dispute;
    const due = isOpenDispute(dispute) && evidenceDueBy !== null;
    return {
      cells: [
        orderNumber === null
          ? `${texts.payment.payment} ${paymentId}`
          : openLink(paymentUrl(paymentId, context), orderNumber),
        amount === null ? texts.disputes.noAmount : formatMoney(amount, language),
        disputeBadge(dispute, context),
        due && html`<span class="label">${names.deadline} </span><strong>${time(evidenceDueBy, context)}</strong>`,
        html`${disputeReason(dispute, context)}<span class="small number">${dispute.id}</span>`,
        ago(openedAt, context),
      ],
      isAlarm: isOpenDispute(dispute),
    };
  });
  return table(texts.disputes.heading, columns, rows);
}
