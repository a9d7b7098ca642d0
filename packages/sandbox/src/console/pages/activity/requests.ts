import { notFound } from "../../../domain/api-error.ts";
import { limits } from "../../../domain/limits.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { Exchange, RequestRecord } from "../../../runtime/request-log.ts";
import { badge } from "../../components/badge.ts";
import { curlCommand } from "../../components/curl.ts";
import { codeBlock, detailList, idText, timeText } from "../../components/details.ts";
import { requestListItem } from "../../components/list-items.ts";
import { filterLinks, pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ConsoleSection, PageContext, PageHandler } from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";

const listPage: PageHandler = (request) => {
  const { control, query, texts } = request;
  const { limit, offset } = parsePage(query);
  const onlyErrors = query.get("only") === "errors";
  const items = control
    .listRequests()
    .filter(({ status }) => !onlyErrors || status === null || status >= 400)
    .slice(offset, offset + limit)
    .map((record) => requestListItem(request, record));
  return {
    tab: "requests",
    title: texts.tabs.requests,
    main: html`<h1>${texts.tabs.requests}</h1>
${filterLinks("requests", request, { name: "only", values: { "": texts.lists.all, errors: texts.requests.errors } })}
${pagedList(request, { items, emptyText: texts.requests.none })}`,
  };
};

const detailPage: PageHandler = ({ service, control, id, texts }) => {
  const { labels } = texts;
  // A replayed error has the id of the first request, so several requests can share one id.
  const requests = control.listRequests(id);
  const [request] = requests;
  if (request === undefined) throw notFound("Request");
  const exchange = service.requestLog.exchange(request);
  const title = `${request.method} ${request.path}`;
  const main = html`<p class="breadcrumb"><a href="${pageUrl("requests")}">${texts.tabs.requests}</a></p>
<h1><span class="code">${title}</span> ${badge(texts, request.status === null ? "no answer" : String(request.status))}</h1>
${detailList({
  [labels.requestId]: idText(request.request_id),
  [labels.received]: timeText(request.received_at),
  [labels.answered]: texts.requests.after(request.duration_ms),
  [labels.environment]: request.environment === null ? texts.requests.noKey : texts.environments[request.environment],
  "Idempotency-Key": idText(request.idempotency_key),
  [labels.replayed]: request.replayed && texts.requests.firstAnswer,
  [labels.error]: idText(request.error_code),
  [labels.fault]: request.fault,
  [labels.withThisId]: requests.length > 1 && texts.requests.newestOf(requests.length),
})}
${
  exchange === null
    ? html`<p class="none">${texts.requests.forgotten(limits.exchangesRemembered)}</p>`
    : html`${curlSection({ service, texts }, request, exchange)}${bodySections(texts, exchange)}`
}`;
  return { tab: "requests", title, main };
};

function curlSection({ service, texts }: PageContext, request: RequestRecord, exchange: Exchange): Html {
  return html`<h2>${texts.requests.sendAgain}</h2>${codeBlock(texts, "curl", curlCommand(service.addresses.baseUrl, request, exchange))}
<p class="small"><code>$API_KEY</code> ${texts.requests.keyStands}</p>
`;
}

function bodySections(texts: ConsoleTexts, { requestBody, responseBody }: Exchange): Html {
  const noBody = html`<p class="none">${texts.requests.noBody(limits.bodyKept / 1024)}</p>`;
  return html`<h2>${texts.labels.received}</h2>${requestBody === null ? noBody : codeBlock(texts, "received", requestBody)}
<h2>${texts.labels.answered}</h2>${responseBody === null ? noBody : codeBlock(texts, "answered", responseBody)}
<p class="small">${texts.requests.hidden}</p>`;
}

export const requestSection: ConsoleSection = { pages: { requests: listPage, "requests/{id}": detailPage } };
