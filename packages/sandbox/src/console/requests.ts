import type { Exchange } from "../api/request-log.ts";
import { limits } from "../limits.ts";
import { type Html, html } from "../page/html.ts";
import { notFound } from "../service/refusal.ts";
import { pageUrl } from "./address.ts";
import { badge } from "./badge.ts";
import { exact, facts, idText, timeText } from "./facts.ts";
import { requestItem } from "./items.ts";
import { filter, pagedList, pageIn } from "./rows.ts";
import type { Pages, Show } from "./visit.ts";

const list: Show = ({ service, control, query }) => {
  const { limit, offset } = pageIn(query);
  const onlyErrors = query.get("only") === "errors";
  const found = control
    .listRequests()
    .filter(({ status }) => !onlyErrors || status === null || status >= 400)
    .slice(offset, offset + limit)
    .map((request) => requestItem(service, request));
  return {
    tab: "requests",
    title: "Requests",
    main: html`<h1>Requests</h1>
${filter("requests", query, { name: "only", values: { "": "All", errors: "Errors" } })}
${pagedList(query, { found, none: "None since the sandbox was started." })}`,
  };
};

const detail: Show = ({ service, control, id }) => {
  // A replayed error carries the id of the request that it repeats.
  const requests = control.listRequests(id);
  const [request] = requests;
  if (request === undefined) throw notFound("Request");
  const exchange = service.requests.exchange(request);
  const title = `${request.method} ${request.path}`;
  const main = html`<p class="above"><a href="${pageUrl("requests")}">Requests</a></p>
<h1><span class="code">${title}</span> ${badge(request.status === null ? "no answer" : String(request.status))}</h1>
${facts({
  "Request id": idText(request.request_id),
  Received: timeText(service, request.received_at),
  Answered: `after ${request.duration_ms} ms`,
  Environment: request.environment ?? "unknown: no valid key",
  "Idempotency-Key": idText(request.idempotency_key),
  Replayed: request.replayed && "yes: this is the first request's answer",
  Error: idText(request.error_code),
  Fault: request.fault,
  "With this id": requests.length > 1 && `${requests.length} requests, this is the newest`,
})}
${exchange === null ? html`<p class="none">Its bodies were forgotten: those of the last ${limits.exchangesRemembered} requests are kept.</p>` : bodies(exchange)}`;
  return { tab: "requests", title, main };
};

function bodies({ received, answered }: Exchange): Html {
  return html`<h2>Received</h2>${received === null ? html`<p class="none">No body, or one of more than ${limits.bodyKept / 1024} KiB.</p>` : exact("received", received)}
<h2>Answered</h2>${answered === null ? html`<p class="none">No body, or one of more than ${limits.bodyKept / 1024} KiB.</p>` : exact("answered", answered)}
<p class="small">Secrets, card numbers, e-mail addresses and telephones are hidden.</p>`;
}

export const requestPages: Pages = { shows: { requests: list, "requests/{id}": detail } };
