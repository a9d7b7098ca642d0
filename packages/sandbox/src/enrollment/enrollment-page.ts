import type { HttpResponse } from "../http/http-response.ts";
import type { Capabilities } from "../network/capabilities.ts";
import { documentResponse } from "../pages/document.ts";
import { type Html, html } from "../pages/html.ts";
import { alertIcon, checkIcon, clockIcon } from "../pages/icons.ts";
import { createBrand } from "../pages/page-brand.ts";
import type { EnrollmentTexts } from "./enrollment-texts.ts";

/** The data that every page of an invite shows. */
export type Enrollment = {
  texts: EnrollmentTexts;
  operator: string;
  requested: Capabilities;
  /** The URL that the forms of the page post to. */
  formUrl: string;
  nonce: string;
};

export type Business = { organization_id: string; name: string };

/** The first page: the member chooses its business. */
export function chooseBusinessPage(
  enrollment: Enrollment,
  businesses: readonly Business[],
  problem: string | null,
): HttpResponse {
  const { texts, operator } = enrollment;
  const title = texts.invited(operator);
  const main = html`<div class="sheet">
<h1>${title}</h1>
<p>${texts.invitedText(operator)}</p>
${requestedCapabilityList(enrollment)}
${problem !== null && html`<div class="problem" id="problem" role="alert" tabindex="-1">${alertIcon}<div><p>${problem}</p></div></div>`}
<form method="post" action="${enrollment.formUrl}"><input type="hidden" name="step" value="submit">
<div class="field"><label for="organization">${texts.business}</label>
<select id="organization" name="organization" aria-describedby="who-hint"${problem !== null && html` aria-invalid="true"`}>${businesses.map(
    ({ organization_id, name }) => html`<option value="${organization_id}">${name}</option>`,
  )}</select>
<p class="hint" id="who-hint">${texts.businessHint}</p></div>
<p><button class="button">${texts.continue}</button></p></form>
</div>`;
  return page(enrollment, { title, main, status: problem === null ? 200 : 422 });
}

/** The second page: the member allows or refuses the requested capabilities. */
export function approvalPage(enrollment: Enrollment, member: string): HttpResponse {
  const { texts, operator, formUrl } = enrollment;
  const title = texts.allow(operator);
  const main = html`<div class="sheet">
<h1>${title}</h1>
<p>${texts.allowText(member)}</p>
${requestedCapabilityList(enrollment)}
<form method="post" action="${formUrl}"><input type="hidden" name="step" value="accept"><button class="button">${texts.accept}</button></form>
<form method="post" action="${formUrl}"><input type="hidden" name="step" value="refuse"><button class="button quiet">${texts.refuse}</button></form>
</div>`;
  return page(enrollment, { title, main });
}

/** The page of a closed invite. `account` is the Member Account, if one was chosen. */
export function invitationEndedPage(
  enrollment: Enrollment,
  status: keyof EnrollmentTexts["ended"],
  account: string | null,
): HttpResponse {
  const { texts, operator } = enrollment;
  const { title, text } = texts.ended[status];
  const icon = { approved: clockIcon, completed: checkIcon, expired: clockIcon, cancelled: alertIcon }[status];
  const main = html`<div class="sheet">
<div class="state${status !== "completed" && " late"}">${icon}</div>
<h1>${title}</h1>
<p>${text(operator)}</p>
${account !== null && html`<dl><div><dt>${texts.account}</dt><dd>${account}</dd></div></dl>`}
</div>`;
  return page(enrollment, { title, main });
}

/** The page for an unknown invite (404) or an internal error (500). */
export function invitationErrorPage(texts: EnrollmentTexts, nonce: string, status: 404 | 500): HttpResponse {
  const { title, text } = status === 404 ? texts.notFound : texts.failure;
  const main = html`<div class="sheet"><div class="state late">${alertIcon}</div><h1>${title}</h1><p>${text}</p></div>`;
  return page({ texts, nonce, operator: null }, { title, main, status });
}

type PageFrame = { texts: EnrollmentTexts; nonce: string; operator: string | null };

function page(
  { texts, nonce, operator }: PageFrame,
  content: { title: string; main: Html; status?: number },
): HttpResponse {
  const other = texts.language === "fr" ? "en" : "fr";
  return documentResponse({
    texts: { language: texts.language, otherLanguage: texts.otherLanguage, secure: texts.footer },
    nonce,
    brand: operator === null ? null : createBrand({ name: operator }),
    switchUrl: `?lang=${other}`,
    theme: "calm",
    ...content,
  });
}

function requestedCapabilityList({ texts, requested: { test, live } }: Enrollment): Html {
  const isSameInBoth = test.length === live.length && test.every((capability) => live.includes(capability));
  const parts: [string, Capabilities["test"]][] = isSameInBoth
    ? [[texts.testAndLive, test]]
    : [
        [texts.test, test],
        [texts.live, live],
      ];
  return html`<h2>${texts.requestedTitle}</h2>
${parts.map(
  ([environment, list]) => html`<p><b>${environment}</b>${list.length === 0 && html`<br>${texts.nothing}`}</p>
${list.length > 0 && html`<ul>${list.map((capability) => html`<li>${texts.capabilities[capability]}</li>`)}</ul>`}`,
)}`;
}
