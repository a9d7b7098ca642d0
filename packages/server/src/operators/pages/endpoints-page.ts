import { serverLimits } from "../../limits.ts";
import { type Html, html } from "../../pages/html.ts";
import { endpointTexts } from "../texts/endpoint-texts.ts";
import { workTexts } from "../texts/work-texts.ts";
import { formTokenField, type OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { rows, time } from "./rows.ts";

/** What the newest webhooks tell about an endpoint. `count` and `unused` are of the newest webhooks only. */
export type EndpointStatus = {
  readonly id: string;
  readonly url: string;
  readonly lastAt: number | null;
  readonly count: number;
  /** Webhooks that could not be read, or whose payment is missing. */
  readonly unused: number;
};

export function endpointsPage(
  endpoints: readonly EndpointStatus[],
  query: Readonly<Record<string, string>>,
  context: PageContext,
): OperatorPage {
  const texts = workTexts[context.language];
  const body = html`<h1>${texts.endpoints}</h1>
<p>${texts.endpointsLead}</p>
${testNotice(query, context)}
${rows(
  endpoints.map((endpoint) => endpointRow(endpoint, context)),
  context,
)}
${endpoints.length > 0 && context.operator.canDecide && html`<p class="hint">${texts.testHint}</p>`}`;
  return { title: texts.endpoints, body, menuItem: "endpoints" };
}

function endpointRow({ id, url, lastAt, count, unused }: EndpointStatus, context: PageContext): Html {
  const { base, language, operator } = context;
  const texts = workTexts[language];
  const number = new Intl.NumberFormat(language);
  return html`<li><div class="row"><strong>${id}</strong>
<span class="small">${texts.lastDelivery}${language === "fr" && "\u00a0"}: ${lastAt === null ? texts.none : time(lastAt, context)}</span>
${unused > 0 && html`<span class="badge care">${unused} ${texts.unprocessed}</span>`}<span class="time">${texts.newest(number.format(count), number.format(serverLimits.maxEndpointDeliveries))}</span></div>
<p class="small number">${url}</p>
<div class="actions">${operator.canDecide && html`<form action="${base}/endpoints/${encodeURIComponent(id)}/test" method="post">${formTokenField(context)}<button class="second" aria-label="${texts.test} ${id}">${texts.test}</button></form>`}
<a href="${base}/endpoints/${encodeURIComponent(id)}">${endpointTexts[language].serviceSide}</a></div></li>`;
}

function testNotice(
  { test, endpoint = "", ms = "" }: Readonly<Record<string, string>>,
  { language }: PageContext,
): Html {
  const texts = workTexts[language];
  if (test === undefined) return html``;
  if (test === "done")
    return html`<p class="card good" role="status"><strong>${endpoint}</strong> ${texts.testDone(Number.parseInt(ms, 10) || 0)}</p>`;
  return html`<p class="card care" role="alert"><strong>${endpoint}</strong> ${texts.testProblems[test] ?? texts.unknownEndpoint}</p>`;
}
