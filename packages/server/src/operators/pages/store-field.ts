import { serverLimits } from "../../limits.ts";
import { type Html, html } from "../../pages/html.ts";
import { figureTexts } from "../texts/figure-texts.ts";
import type { PageContext } from "./page-context.ts";

/**
 * The choice of a shop, named `store` in the URL: a list of all shops, or, where they are too many for a page, a field for a shop's id.
 * No shop means all shops.
 */
export function storeField(
  { id, label, storeIds, chosen }: { id: string; label: string; storeIds: readonly string[]; chosen: string },
  { language }: PageContext,
): Html {
  const texts = figureTexts[language];
  if (storeIds.length > serverLimits.maxListedStores)
    return html`<label for="${id}">${label}</label><input id="${id}" name="store" type="text" maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="${texts.allStoresOrId}" value="${chosen}">`;
  const options = storeIds.map(
    (storeId) => html`<option value="${storeId}"${storeId === chosen && html` selected`}>${storeId}</option>`,
  );
  return html`<label for="${id}">${label}</label><select id="${id}" name="store"><option value="">${texts.allStores}</option>${options}</select>`;
}
