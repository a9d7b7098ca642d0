import type { Page } from "@tillkit/core";
import { html } from "../../pages/html.ts";
import { disputeRow, type ShownDispute } from "./dispute-parts.ts";
import type { OperatorPage } from "./layout.ts";
import type { Look } from "./look.ts";
import { pager, rows } from "./parts.ts";

type DisputeList = {
  readonly page: Page<ShownDispute>;
  readonly after: string | null;
  readonly now: number;
};

/** All disputes, the open ones first. */
export function disputesPage({ page, after, now }: DisputeList, look: Look): OperatorPage {
  const { words, base } = look;
  const body = html`<h1>${words.disputes.heading}</h1>
<p>${words.disputes.lead}</p>
${rows(
  page.rows.map((shown) => disputeRow(shown, now, look)),
  look,
)}
${pager(`${base}/disputes`, { next: page.next, after }, look)}`;
  return { title: words.disputes.heading, body, here: "disputes" };
}
