import { randomBytes } from "node:crypto";
import type { Answer } from "../api/answer.ts";
import { type DeliveryRecord, type EventRecord, listDeliveries, listEvents } from "../control/records.ts";
import { amountText } from "../page/amount-text.ts";
import { pageHeaders } from "../page/document.ts";
import { type Html, html, render } from "../page/html.ts";
import { storedTerms } from "../payments/session-terms.ts";
import { checkoutUrl } from "../payments/sessions.ts";
import { iso } from "../service/clock.ts";
import type { Service } from "../service/service.ts";
import type { SessionRow, TransactionRow } from "../storage/tables.ts";
import { consoleStyle } from "./style.ts";

const rowsShown = 25;

/** What happened in the sandbox, newest first: sessions, transactions, events, deliveries with every attempt. */
export async function consolePage(service: Service): Promise<Answer> {
  await service.timetable.catchUp();
  const { rows } = service.store;
  const page = { limit: rowsShown, offset: 0 };
  const sessions = await rows.selectFrom("sessions").selectAll().orderBy("seq", "desc").limit(rowsShown).execute();
  const transactions = await rows
    .selectFrom("transactions")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(rowsShown)
    .execute();
  const events = await listEvents(rows, page);
  const deliveries = await listDeliveries(rows, page);
  const nonce = randomBytes(16).toString("base64url");
  const body = render(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Sandbox console</title>
<link rel="icon" href="data:,"><style nonce="${nonce}">${consoleStyle}</style></head>
<body>
<header><h1>Sandbox console</h1><p>It is ${iso(service.clock.now())} here. <a href="">Refresh</a></p>
<nav aria-label="Sections"><a href="#sessions">Sessions</a> <a href="#transactions">Transactions</a> <a href="#events">Events</a> <a href="#deliveries">Deliveries</a></nav></header>
<main>
${section(
  "sessions",
  "Checkout sessions",
  sessions.map((session) => sessionItem(service, session)),
)}
${section(
  "transactions",
  "Transactions",
  transactions.map((transaction) => transactionItem(service, transaction)),
)}
${section("events", "Events", events.items.map(eventItem))}
${section("deliveries", "Webhook deliveries", deliveries.items.map(deliveryItem))}
</main>
</body></html>`);
  return { status: 200, headers: pageHeaders(nonce), body };
}

function section(id: string, title: string, items: readonly Html[]): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${items.length === 0 ? html`<p class="none">Nothing yet.</p>` : html`<ul>${items}</ul>`}</section>`;
}

function sessionItem(service: Service, session: SessionRow): Html {
  const { title } = storedTerms(session);
  return html`<li><p class="line"><b>${title ?? "Untitled"}</b> <span>${amount(service, session.amount, session.currency_code)}</span>${badge(session.status)}</p>
<p class="small">${session.environment} · <code>${session.session_id}</code></p>
<p class="small">opened ${iso(session.created_at)} · expires ${iso(session.expires_at)} · <a href="${checkoutUrl(service, session)}">hosted page</a></p></li>`;
}

function transactionItem(service: Service, transaction: TransactionRow): Html {
  return html`<li><p class="line"><b>${transaction.provider_code}</b> <span>${amount(service, transaction.gross_amount, transaction.currency_code)}</span>${badge(transaction.status)}</p>
${transaction.failure_message !== null && html`<p class="small">${transaction.failure_message}</p>`}
<p class="small">${transaction.environment} · <code>${transaction.transaction_id}</code></p>
<p class="small">${iso(transaction.created_at)} · session <code>${transaction.session_id}</code></p></li>`;
}

function eventItem(event: EventRecord): Html {
  return html`<li><p class="line"><b>${event.event}</b> <span>${event.deliveries.length} deliveries</span></p>
<p class="small">${event.environment} · ${event.created_at} · <code>${event.id}</code></p>
<details><summary>Data</summary><pre>${JSON.stringify(event.data, null, 2)}</pre></details></li>`;
}

function deliveryItem(delivery: DeliveryRecord): Html {
  return html`<li><p class="line"><b>${delivery.event}</b> ${badge(delivery.state)}</p>
<p class="small">to ${delivery.url ?? "an endpoint that was deleted"} · event <code>${delivery.event_id}</code></p>
${delivery.due_at !== null && html`<p class="small">next attempt due ${delivery.due_at}</p>`}
${delivery.attempts.map(
  (
    attempt,
  ) => html`<details><summary>Attempt ${attempt.attempt_number}: ${attempt.response_status ?? attempt.error} in ${attempt.request_duration_ms} ms</summary>
<p class="small">${attempt.created_at}</p>
<pre>${Object.entries(attempt.headers).map(([name, value]) => `${name}: ${value}\n`)}
${attempt.payload}</pre>
${attempt.response_body !== null && html`<p class="small">Answer</p><pre>${attempt.response_body}</pre>`}</details>`,
)}</li>`;
}

function amount(service: Service, value: number, currency: SessionRow["currency_code"]): string {
  return amountText(value, currency, "en", service.settings.amountExponents);
}

function badge(state: string): Html {
  return html`<span class="badge ${state}">${state}</span>`;
}
