import type { DeliveryFault } from "@tillkit/core/hosts";
import { serverLimits } from "../../limits.ts";
import { type Html, html } from "../../pages/html.ts";
import { endpointTexts } from "../texts/endpoint-texts.ts";
import { workTexts } from "../texts/work-texts.ts";
import type { Unanswered } from "./endpoint-page.ts";
import { formTokenField } from "./form-fields.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { time } from "./rows.ts";
import { technicalTabs } from "./technical-page.ts";

/** What the newest webhooks tell about an endpoint. `count` and `unused` are of the newest webhooks only. */
export type EndpointStatus = {
  readonly id: string;
  readonly url: string;
  readonly lastAt: number | null;
  readonly count: number;
  /** Webhooks that could not be read, or whose payment is missing. */
  readonly unused: number;
};

/** What came of the test of an endpoint. `not_stored`: it was delivered, and this ledger does not contain it. */
export type TestResult = "done" | "not_stored" | DeliveryFault | Unanswered;

export function endpointsPage(
  endpoints: readonly EndpointStatus[],
  query: Readonly<Record<string, string>>,
  context: PageContext,
): OperatorPage {
  const texts = workTexts[context.language];
  const body = html`<h1>${texts.endpoints}</h1>
${technicalTabs("endpoints", context)}
<p>${texts.endpointsLead}</p>
${testNotice(query, context)}
<ul class="rows">${endpoints.map((endpoint) => endpointRow(endpoint, context))}</ul>
${endpoints.length > 0 && context.operator.canDecide && html`<p class="hint">${texts.testHint}</p>`}`;
  return { title: texts.endpoints, body, menuItem: "technical" };
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
  const problem = texts.testProblems[test] ?? endpointTexts[language].states[test] ?? texts.unknownEndpoint;
  return html`<p class="card care" role="alert"><strong>${endpoint}</strong> ${problem}</p>`;
}
