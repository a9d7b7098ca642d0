import { html } from "../../pages/html.ts";
import { formTokenField } from "./form-fields.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";

export function loginPage(problem: "wrong" | "tooMany" | null, next: string, context: PageContext): OperatorPage {
  const { login } = context.texts;
  const body = html`<div class="login"><h1>${login.heading}</h1>
${problem && html`<p class="card care" role="alert">${login[problem]}</p>`}
<p>${login.lead}</p>
<form action="${context.base}/login" method="post">${formTokenField(context)}
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="token">${login.token}</label><input id="token" name="token" type="password" required maxlength="400" autocomplete="current-password"></div>
<button>${login.button}</button>
</form>
${context.hasShops && html`<p class="hint">${login.owner}</p>`}</div>`;
  return { title: login.heading, body, menuItem: "login" };
}

/** A link in a mail opens this page without the cookie. The page loads the same address again, and the browser sends the cookie. */
export function redirectPage(url: string, context: PageContext): OperatorPage {
  const { opening, open } = context.texts.login;
  const body = html`<div class="login"><h1>${opening}</h1><p><a href="${url}">${open}</a></p></div>`;
  return { title: opening, body, menuItem: "login", refreshUrl: url };
}
