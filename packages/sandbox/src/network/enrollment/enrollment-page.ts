import type { Answer } from "../../api/answer.ts";
import { documentAnswer } from "../../page/document.ts";
import { type Html, html } from "../../page/html.ts";
import { alertIcon, checkIcon, clockIcon } from "../../page/icons.ts";
import { shopOf } from "../../page/shop.ts";
import { english } from "../../page/words-english.ts";
import { french } from "../../page/words-french.ts";
import type { Capabilities } from "../capabilities.ts";
import type { EnrollmentWords } from "./words.ts";

/** What every page of an invite needs. */
export type Enrollment = {
  words: EnrollmentWords;
  operator: string;
  requested: Capabilities;
  /** Where its forms are sent to. */
  address: string;
  nonce: string;
};

export type Choice = { organization_id: string; name: string };

/** First the member says who it is. */
export function whoPage(enrollment: Enrollment, choices: readonly Choice[], problem: string | null): Answer {
  const { words, operator } = enrollment;
  const title = words.invited(operator);
  const main = html`<div class="sheet">
<h1>${title}</h1>
<p>${words.invitedText(operator)}</p>
${requests(enrollment)}
${problem !== null && html`<div class="problem" id="problem" role="alert" tabindex="-1">${alertIcon}<div><p>${problem}</p></div></div>`}
<form method="post" action="${enrollment.address}"><input type="hidden" name="step" value="submit">
<div class="field"><label for="organization">${words.who}</label>
<select id="organization" name="organization" aria-describedby="who-hint"${problem !== null && html` aria-invalid="true"`}>${choices.map(
    ({ organization_id, name }) => html`<option value="${organization_id}">${name}</option>`,
  )}</select>
<p class="hint" id="who-hint">${words.whoHint}</p></div>
<p><button class="button">${words.continue}</button></p></form>
</div>`;
  return page(enrollment, { title, main, status: problem === null ? 200 : 422 });
}

/** Then it answers. */
export function allowPage(enrollment: Enrollment, member: string): Answer {
  const { words, operator, address } = enrollment;
  const title = words.allow(operator);
  const main = html`<div class="sheet">
<h1>${title}</h1>
<p>${words.allowText(member)}</p>
${requests(enrollment)}
<form method="post" action="${address}"><input type="hidden" name="step" value="accept"><button class="button">${words.accept}</button></form>
<form method="post" action="${address}"><input type="hidden" name="step" value="refuse"><button class="button quiet">${words.refuse}</button></form>
</div>`;
  return page(enrollment, { title, main });
}

/** How it ended; `account` is the member's, when there is one. */
export function endedPage(enrollment: Enrollment, end: keyof EnrollmentWords["ended"], account: string | null): Answer {
  const { words, operator } = enrollment;
  const { title, text } = words.ended[end];
  const icon = { approved: clockIcon, completed: checkIcon, expired: clockIcon, cancelled: alertIcon }[end];
  const main = html`<div class="sheet">
<div class="state${end !== "completed" && " late"}">${icon}</div>
<h1>${title}</h1>
<p>${text(operator)}</p>
${account !== null && html`<dl><div><dt>${words.account}</dt><dd>${account}</dd></div></dl>`}
</div>`;
  return page(enrollment, { title, main });
}

/** No invite has this address (404), or something broke on our side (500). */
export function lostInvitePage(words: EnrollmentWords, nonce: string, status: 404 | 500): Answer {
  const { title, text } = status === 404 ? words.missing : words.trouble;
  const main = html`<div class="sheet"><div class="state late">${alertIcon}</div><h1>${title}</h1><p>${text}</p></div>`;
  return page({ words, nonce, operator: null }, { title, main, status });
}

type Place = { words: EnrollmentWords; nonce: string; operator: string | null };

function page({ words, nonce, operator }: Place, content: { title: string; main: Html; status?: number }): Answer {
  const other = words.language === "fr" ? "en" : "fr";
  return documentAnswer({
    words: { ...(words.language === "fr" ? french : english), secure: words.foot },
    nonce,
    shop: operator === null ? null : shopOf({ name: operator }),
    switchUrl: `?lang=${other}`,
    look: "calm",
    ...content,
  });
}

function requests({ words, requested: { test, live } }: Enrollment): Html {
  const same = test.length === live.length && test.every((capability) => live.includes(capability));
  const parts: [string, Capabilities["test"]][] = same
    ? [[words.both, test]]
    : [
        [words.test, test],
        [words.live, live],
      ];
  return html`<h2>${words.asks}</h2>
${parts.map(
  ([where, asked]) => html`<p><b>${where}</b>${asked.length === 0 && html`<br>${words.nothing}`}</p>
${asked.length > 0 && html`<ul>${asked.map((capability) => html`<li>${words.capabilities[capability]}</li>`)}</ul>`}`,
)}`;
}
