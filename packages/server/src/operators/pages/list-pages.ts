import {
  PAYMENT_STATES,
  type Page,
  type Payment,
  type PaymentState,
  type StoredDelivery,
  type StoredJob,
} from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import type { DeliveryKind } from "../words/words.ts";
import type { OperatorPage } from "./layout.ts";
import type { Look } from "./look.ts";
import { deliveryRow, jobRow, outcome, pager, paymentRow, rows } from "./parts.ts";

type Listed<Row> = { readonly page: Page<Row>; readonly after: string | null };

export function paymentsPage(list: Listed<Payment>, state: PaymentState | null, look: Look): OperatorPage {
  const { words, base } = look;
  const title = words.lists.payments(state && words.states[state]);
  const path = state === null ? `${base}/payments` : `${base}/payments?state=${state}`;
  const choices = PAYMENT_STATES.map((one): [string, string] => [one, words.states[one]]);
  const body = html`<h1>${title}</h1>
${chips(`${base}/payments`, "state", choices, state, look)}
${rows(
  list.page.rows.map((payment) => paymentRow(payment, look)),
  look,
)}
${pager(path, { next: list.page.next, after: list.after }, look)}`;
  return { title, body, here: "payments" };
}

/** What a search found, when that is not exactly one payment. */
export function foundPage(payments: readonly Payment[], searched: string, look: Look): OperatorPage {
  const title = `${look.words.search.label} : ${searched}`;
  const found = rows(
    payments.map((payment) => paymentRow(payment, look)),
    look,
  );
  const body = html`<h1>${title}</h1>${payments.length === 0 ? html`<p class="card">${look.words.search.none}</p>` : found}`;
  return { title, body, here: null };
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
  list: Listed<StoredDelivery>,
  kind: DeliveryKind | null,
  counts: Readonly<Record<DeliveryKind, number>>,
  look: Look,
): OperatorPage {
  const { words, base } = look;
  const path = kind === null ? `${base}/deliveries` : `${base}/deliveries?outcome=${kind}`;
  const choices = DELIVERY_KINDS.map((one): [string, string] => [one, `${words.deliveryKinds[one]} (${counts[one]})`]);
  const body = html`<h1>${words.lists.deliveries}</h1>
${chips(`${base}/deliveries`, "outcome", choices, kind, look)}
${kind !== null && html`<p>${words.deliveryHelp[kind]}</p>`}
${rows(
  list.page.rows.map((delivery) => deliveryRow(delivery, look)),
  look,
)}
${pager(path, { next: list.page.next, after: list.after }, look)}`;
  return { title: words.lists.deliveries, body, here: "deliveries" };
}

export function deadPage(list: Listed<StoredJob>, query: Readonly<Record<string, string>>, look: Look): OperatorPage {
  const { words, base } = look;
  const body = html`<h1>${words.lists.dead}</h1>
${outcome(query, look)}
<p>${words.lists.deadLead}</p>
${rows(
  list.page.rows.map((job) => jobRow(job, look)),
  look,
)}
${pager(`${base}/dead`, { next: list.page.next, after: list.after }, look)}`;
  return { title: words.lists.dead, body, here: "dead" };
}

function chips(
  path: string,
  name: string,
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string | null,
  { words }: Look,
): Html {
  const all = html`<li><a href="${path}"${chosen === null && html` aria-current="true"`}>${words.lists.every}</a></li>`;
  const others = choices.map(
    ([value, text]) =>
      html`<li><a href="${path}?${name}=${value}"${value === chosen && html` aria-current="true"`}>${text}</a></li>\n`,
  );
  return html`<ul class="chips">${all}${others}</ul>`;
}
