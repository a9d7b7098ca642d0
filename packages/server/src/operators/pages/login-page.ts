import { html } from "../../pages/html.ts";
import { formToken, type OperatorPage } from "./layout.ts";
import type { Look } from "./look.ts";

export function loginPage(problem: "wrong" | "tooMany" | null, next: string, look: Look): OperatorPage {
  const { login } = look.words;
  const body = html`<div class="login"><h1>${login.heading}</h1>
${problem && html`<p class="card care" role="alert">${login[problem]}</p>`}
<p>${login.lead}</p>
<form action="${look.base}/login" method="post">${formToken(look)}
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="token">${login.token}</label><input id="token" name="token" type="password" required maxlength="400" autocomplete="current-password"></div>
<button>${login.button}</button>
</form></div>`;
  return { title: login.heading, body, here: "login" };
}

/** A link in a mail leads here without the cookie; the browser sends it when this page opens the same address anew. */
export function openingPage(url: string, look: Look): OperatorPage {
  const { opening, open } = look.words.login;
  const body = html`<div class="login"><h1>${opening}</h1><p><a href="${url}">${open}</a></p></div>`;
  return { title: opening, body, here: "login", refreshUrl: url };
}
