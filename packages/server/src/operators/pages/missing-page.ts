import { html } from "../../pages/html.ts";
import { frameTexts } from "../texts/frame-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";

/** Says what does not exist, and leads to the search and the overview. */
export function missingPage(title: string, { language, base }: PageContext): OperatorPage {
  const { toOverview, find } = frameTexts[language];
  const body = html`<h1>${title}</h1>
<div class="actions"><a class="button" href="${base}">${toOverview}</a><a class="button second" href="${base}/find">${find}</a></div>`;
  return { title, body, menuItem: null };
}
