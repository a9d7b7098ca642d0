import { PAYMENT_STATES, type Page, type Payment, type PaymentState } from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import { filterTexts } from "../texts/filter-texts.ts";
import type { DeliveryKind } from "../texts/operator-texts.ts";
import { workTexts } from "../texts/work-texts.ts";
import { countText } from "./count-text.ts";
import { type FilterForm, filterForm, filterQuery } from "./filter-form.ts";
import { formTokenField, type OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import {
  decisionNotice,
  deliveryRow,
  jobRow,
  pager,
  paymentRow,
  rows,
  type ShownDelivery,
  type ShownJob,
} from "./rows.ts";

type ListPage<Row> = { readonly page: Page<Row>; readonly after: string | null };

type PaymentList = ListPage<Payment> & {
  readonly state: PaymentState | null;
  readonly form: FilterForm;
  /** How each payment was paid, by payment id; null when no event named the method. */
  readonly methods: ReadonlyMap<string, string | null>;
};

export function paymentsPage({ page, after, state, form, methods }: PaymentList, context: PageContext): OperatorPage {
  const { texts, base } = context;
  const title = texts.lists.payments(state && texts.states[state]);
  const urlWithState = (chosen: string | null) => {
    const query = filterQuery({ ...form.query, state: chosen ?? "" });
    return query.size === 0 ? `${base}/payments` : `${base}/payments?${query}`;
  };
  const chips = PAYMENT_STATES.map((choice) => chip(urlWithState(choice), texts.states[choice], choice === state));
  const items = page.rows.map((payment) => paymentRow(payment, context, methods.get(payment.id)));
  const mayMatchOlder = page.rows.length === 0 && page.next !== null;
  const body = html`<h1>${title}</h1>
<ul class="chips">${chip(urlWithState(null), texts.lists.every, state === null)}${chips}</ul>
${filterForm(form, context)}
${mayMatchOlder ? html`<p class="card">${filterTexts[context.language].further}</p>` : rows(items, context, "dense")}
${pager(urlWithState(state), { next: page.next, after }, context)}`;
  return { title, body, menuItem: "payments" };
}

/** The page of a search that found no payment or several payments. */
export function foundPage(payments: readonly Payment[], searched: string, context: PageContext): OperatorPage {
  const title = `${context.texts.search.label}${context.language === "fr" ? " " : ""}: ${searched}`;
  const found = rows(
    payments.map((payment) => paymentRow(payment, context)),
    context,
    "dense",
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
  list: ListPage<ShownDelivery>,
  kind: DeliveryKind | null,
  counts: Readonly<Record<DeliveryKind, number>>,
  context: PageContext,
): OperatorPage {
  const { texts, base } = context;
  const path = kind === null ? `${base}/deliveries` : `${base}/deliveries?outcome=${kind}`;
  const choices = DELIVERY_KINDS.map((choice): [string, string] => [
    choice,
    `${texts.deliveryKinds[choice]} (${countText(counts[choice], context)})`,
  ]);
  const body = html`<h1>${texts.lists.deliveries}</h1>
${filterLinks(`${base}/deliveries`, "outcome", choices, kind, context)}
${kind !== null && html`<p>${texts.deliveryHelp[kind]}</p>`}
${rows(
  list.page.rows.map((delivery) => deliveryRow(delivery, context)),
  context,
  "dense deliveries",
)}
${pager(path, { next: list.page.next, after: list.after }, context)}`;
  return { title: texts.lists.deliveries, body, menuItem: "deliveries" };
}

export function deadJobsPage(
  list: ListPage<ShownJob>,
  query: Readonly<Record<string, string>>,
  context: PageContext,
): OperatorPage {
  const { texts, base } = context;
  const body = html`<h1>${texts.lists.dead}</h1>
${decisionNotice(query, context)}
<p>${texts.lists.deadLead}</p>
${list.page.rows.length > 1 && context.operator.canDecide && html`<form class="actions" action="${base}/jobs/retry-all" method="post">${formTokenField(context)}<button class="second">${workTexts[context.language].retryAll}</button></form>`}
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
  const others = choices.map(([value, text]) => chip(`${path}?${name}=${value}`, text, value === chosen));
  return html`<ul class="chips">${chip(path, texts.lists.every, chosen === null)}${others}</ul>`;
}

function chip(url: string, text: string, isChosen: boolean): Html {
  return html`<li><a href="${url}"${isChosen && html` aria-current="true"`}>${text}</a></li>\n`;
}
