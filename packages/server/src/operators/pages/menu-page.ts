import { html } from "../../pages/html.ts";
import { frameTexts } from "../texts/frame-texts.ts";
import { sectionLinks, settings } from "./header.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";

/** What a phone's bar has no room for: the other sections, the language, the time zone and the way out. */
export function menuPage(context: PageContext): OperatorPage {
  const title = frameTexts[context.language].more;
  const body = html`<h1>${title}</h1>
${sectionLinks(context)}
<div class="settings">${settings(`${context.base}/menu`, context)}</div>`;
  return { title, body, menuItem: null };
}
