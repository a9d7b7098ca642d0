import type { Page } from "@tillkit/core";
import { html } from "../../pages/html.ts";
import { disputeRow, type ShownDispute } from "./dispute-rows.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { pager, rows } from "./rows.ts";

type DisputeList = {
  readonly page: Page<ShownDispute>;
  readonly after: string | null;
  readonly now: number;
};

/** All disputes, with open disputes first. */
export function disputesPage({ page, after, now }: DisputeList, context: PageContext): OperatorPage {
  const { texts, base } = context;
  const body = html`<h1>${texts.disputes.heading}</h1>
<p>${texts.disputes.lead}</p>
${rows(
  page.rows.map((shown) => disputeRow(shown, now, context)),
  context,
)}
${pager(`${base}/disputes`, { next: page.next, after }, context)}`;
  return { title: texts.disputes.heading, body, menuItem: "disputes" };
}
