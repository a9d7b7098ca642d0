import {
  PAYMENT_STATES,
  type Page,
  type Payment,
  type PaymentState,
  type StoredDelivery,
  type StoredJob,
} from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import type { DeliveryKind } from "../texts/operator-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { decisionNotice, deliveryRow, jobRow, pager, paymentRow, rows } from "./rows.ts";

type ListPage<Row> = { readonly page: Page<Row>; readonly after: string | null };

export function paymentsPage(list: ListPage<Payment>, state: PaymentState | null, context: PageContext): OperatorPage {
  const { texts, base } = context;
  const title = texts.lists.payments(state && texts.states[state]);
  const path = state === null ? `${base}/payments` : `${base}/payments?state=${state}`;
  const choices = PAYMENT_STATES.map((one): [string, string] => [one, texts.states[one]]);
  const body = html`<h1>${title}</h1>
${filterLinks(`${base}/payments`, "state", choices, state, context)}
${rows(
  list.page.rows.map((payment) => paymentRow(payment, context)),
  context,
)}
${pager(path, { next: list.page.next, after: list.after }, context)}`;
  return { title, body, menuItem: "payments" };
}

/** What a search found, when that is not exactly one payment. */
export function foundPage(payments: readonly Payment[], searched: string, context: PageContext): OperatorPage {
  const title = `${context.texts.search.label}${context.language === "fr" ? " " : ""}: ${searched}`;
  const found = rows(
    payments.map((payment) => paymentRow(payment, context)),
    context,
  );
  const body = html`<h1>${title}</h1>${payments.length === 0 ? html`<p class="card">${context.texts.search.none}</p>` : found}`;
  return { title, body, menuItem: null };
}

export const DELIVERY_KINDS: readonly DeliveryKind[] = [
  "waiting",
  "processed",
  "orphan",
  "unrelated",
  "unreadable",
  "endpoint_removed",
];

export function deliveriesPage(
  list: ListPage<StoredDelivery>,
  kind: DeliveryKind | null,
  counts: Readonly<Record<DeliveryKind, number>>,
  context: PageContext,
): OperatorPage {
  const { texts, base } = context;
  const path = kind === null ? `${base}/deliveries` : `${base}/deliveries?outcome=${kind}`;
  const choices = DELIVERY_KINDS.map((one): [string, string] => [one, `${texts.deliveryKinds[one]} (${counts[one]})`]);
  const body = html`<h1>${texts.lists.deliveries}</h1>
${filterLinks(`${base}/deliveries`, "outcome", choices, kind, context)}
${kind !== null && html`<p>${texts.deliveryHelp[kind]}</p>`}
${rows(
  list.page.rows.map((delivery) => deliveryRow(delivery, context)),
  context,
)}
${pager(path, { next: list.page.next, after: list.after }, context)}`;
  return { title: texts.lists.deliveries, body, menuItem: "deliveries" };
}

export function deadJobsPage(
  list: ListPage<StoredJob>,
  query: Readonly<Record<string, string>>,
  context: PageContext,
): OperatorPage {
  const { texts, base } = context;
  const body = html`<h1>${texts.lists.dead}</h1>
${decisionNotice(query, context)}
<p>${texts.lists.deadLead}</p>
${rows(
  list.page.rows.map((job) => jobRow(job, context)),
  context,
)}
${pager(`${base}/dead`, { next: list.page.next, after: list.after }, context)}`;
  return { title: texts.lists.dead, body, menuItem: "dead" };
}

function filterLinks(
  path: string,
  name: string,
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string | null,
  { texts }: PageContext,
): Html {
  const all = html`<li><a href="${path}"${chosen === null && html` aria-current="true"`}>${texts.lists.every}</a></li>`;
  const others = choices.map(
    ([value, text]) =>
      html`<li><a href="${path}?${name}=${value}"${value === chosen && html` aria-current="true"`}>${text}</a></li>\n`,
  );
  return html`<ul class="chips">${all}${others}</ul>`;
}
