import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { type DeliveryAttempt, deliveryFaultOf, type EndpointReading } from "@tillkit/core/hosts";
import { type Html, html } from "../../pages/html.ts";
import { type EndpointTexts, endpointTexts } from "../texts/endpoint-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { exactTime } from "./rows.ts";

/** `missing`: the service has no endpoint with this address. `not_asked`: there is no key to ask with. */
export type Unanswered = "missing" | "no_answer" | "not_asked";

type ShownEndpoint = { readonly id: string; readonly url: string; readonly reading: EndpointReading | Unanswered };

/** What the service reports about one endpoint: whether it is active, which events it gets, and the newest attempts. */
export function endpointPage({ id, url, reading }: ShownEndpoint, context: PageContext): OperatorPage {
  const texts = endpointTexts[context.language];
  const body = html`<p class="back"><a href="${context.base}/endpoints">${texts.back}</a></p>
<h1>${id}</h1>
<p class="small number">${url}</p>
${typeof reading === "string" ? html`<p class="card care" role="alert">${texts.states[reading]}</p>` : readingOf(reading, context)}`;
  return { title: id, body, menuItem: "technical" };
}

function readingOf(reading: EndpointReading, context: PageContext): Html {
  const texts = endpointTexts[context.language];
  const { attempts } = reading;
  const failures = attempts.filter(({ isDelivered }) => isDelivered === false).length;
  const summary = failures > 0 ? texts.failed(failures, attempts.length) : texts.noneFailed(attempts.length);
  return html`${settingsOf(reading, texts)}
<h2>${texts.attempts}</h2>
${
  attempts.length === 0
    ? html`<p>${texts.noAttempts}</p>`
    : html`<p><strong>${summary}</strong></p>
${failures > 0 && html`<p class="small">${texts.attemptsLead}</p>`}
<ul class="rows">${attempts.map((attempt) => attemptRow(attempt, context))}</ul>`
}`;
}

function settingsOf({ isActive, events }: EndpointReading, texts: EndpointTexts): Html {
  if (isActive === false) return html`<p class="card care" role="alert">${texts.inactive}</p>`;
  const missing = events === undefined ? [] : CHECKOUT_EVENTS.filter((event) => !events.includes(event));
  if (missing.length === 0) return html`<p class="card good">${texts.complete}</p>`;
  return html`<div class="card care" role="alert"><p>${texts.missingEvents}</p><p class="number">${missing.join(", ")}</p></div>`;
}

function attemptRow(attempt: DeliveryAttempt, context: PageContext): Html {
  const texts = endpointTexts[context.language];
  const { event, attemptNumber, isDelivered, at } = attempt;
  const isFailed = isDelivered === false;
  const details = [
    attemptNumber !== undefined && texts.attempt(attemptNumber),
    outcomeOf(attempt, texts),
    attempt.durationMs !== undefined && `${attempt.durationMs} ms`,
  ].filter((detail) => typeof detail === "string");
  return html`<li${isFailed && html` class="attention"`}><div class="row">${isDelivered !== undefined && html`<span class="badge ${isFailed ? "care" : "good"}">${isFailed ? texts.notDelivered : texts.delivered}</span>`}
${event !== undefined && html`<code>${event}</code>`}
<span class="small">${details.join(", ")}</span>
${at !== undefined && html`<span class="time">${exactTime(at, context)}</span>`}</div>
${isFailed && html`<p>${texts.advice[deliveryFaultOf(attempt)]}</p>`}</li>\n`;
}

function outcomeOf({ httpStatus, error }: DeliveryAttempt, texts: EndpointTexts): string | null {
  if (error !== undefined) return texts.errors[error] ?? error;
  return httpStatus === undefined ? null : texts.answered(httpStatus);
}
