import { type Html, html } from "@tillkit/server";
import type { Shop } from "../records/shops.ts";
import type { OwnerTexts } from "../texts/owner-texts.ts";

/** The logo and the colour of the pages that shoppers see. */
export function lookFields({ logoUrl, color }: Shop, texts: OwnerTexts): Html {
  return html`<s-section class="polaris"><div class="field"><label for="logoUrl">${texts.logo}</label><input id="logoUrl" name="logoUrl" type="url" maxlength="400" value="${logoUrl ?? ""}"><p class="hint">${texts.logoHint}</p></div>
<div class="field"><label for="color">${texts.color}</label><input id="color" name="color" maxlength="7" placeholder="#0b6b4f" value="${color ?? ""}"><p class="hint">${texts.colorHint}</p></div></s-section>`;
}
