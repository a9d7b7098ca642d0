import { notFound } from "../../../domain/api-error.ts";
import { limits } from "../../../domain/limits.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { Exchange, RequestRecord } from "../../../runtime/request-log.ts";
import type { Service } from "../../../runtime/service.ts";
import { badge } from "../../components/badge.ts";
import { curlCommand } from "../../components/curl.ts";
import { codeBlock, detailList, idText, timeText } from "../../components/details.ts";
import { requestListItem } from "../../components/list-items.ts";
import { filterLinks, pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ConsoleSection, PageHandler } from "../../components/section.ts";

const listPage: PageHandler = ({ control, query }) => {
  const { limit, offset } = parsePage(query);
  const onlyErrors = query.get("only") === "errors";
  const items = control
    .listRequests()
    .filter(({ status }) => !onlyErrors || status === null || status >= 400)
    .slice(offset, offset + limit)
    .map((request) => requestListItem(request));
  return {
    tab: "requests",
    title: "Requests",
    main: html`<h1>Requests</h1>
${filterLinks("requests", query, { name: "only", values: { "": "All", errors: "Errors" } })}
${pagedList(query, { items, emptyText: "None since the sandbox was started." })}`,
  };
};

const detailPage: PageHandler = ({ service, control, id }) => {
  // A replayed error has the id of the first request, so several requests can share one id.
  const requests = control.listRequests(id);
  const [request] = requests;
  if (request === undefined) throw notFound("Request");
  const exchange = service.requestLog.exchange(request);
  const title = `${request.method} ${request.path}`;
  const main = html`<p class="breadcrumb"><a href="${pageUrl("requests")}">Requests</a></p>
<h1><span class="code">${title}</span> ${badge(request.status === null ? "no answer" : String(request.status))}</h1>
${detailList({
  "Request id": idText(request.request_id),
  Received: timeText(request.received_at),
  Answered: `after ${request.duration_ms} ms`,
  Environment: request.environment ?? "unknown: no valid key",
  "Idempotency-Key": idText(request.idempotency_key),
  Replayed: request.replayed && "yes: this is the first request's answer",
  Error: idText(request.error_code),
  Fault: request.fault,
  "With this id": requests.length > 1 && `${requests.length} requests, this is the newest`,
})}
${
  exchange === null
    ? html`<p class="none">The bodies are no longer kept. The sandbox keeps the bodies of the last ${limits.exchangesRemembered} requests.</p>`
    : html`${curlSection(service, request, exchange)}${bodySections(exchange)}`
}`;
  return { tab: "requests", title, main };
};

function curlSection({ addresses }: Service, request: RequestRecord, exchange: Exchange): Html {
  return html`<h2>Send it again</h2>${codeBlock("curl", curlCommand(addresses.baseUrl, request, exchange))}
<p class="small"><code>$API_KEY</code> stands for your secret key. Fill in hidden values.</p>
`;
}

function bodySections({ requestBody, responseBody }: Exchange): Html {
  const noBody = html`<p class="none">No body, or a body of more than ${limits.bodyKept / 1024} KiB.</p>`;
  return html`<h2>Received</h2>${requestBody === null ? noBody : codeBlock("received", requestBody)}
<h2>Answered</h2>${responseBody === null ? noBody : codeBlock("answered", responseBody)}
<p class="small">Secrets, card numbers, e-mail addresses and phone numbers are hidden.</p>`;
}

export const requestSection: ConsoleSection = { pages: { requests: listPage, "requests/{id}": detailPage } };
