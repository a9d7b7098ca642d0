import type { Environment } from "@tillkit/core";
import { type Html, html } from "@tillkit/server";
import type { Shop } from "../records/shops.ts";
import type { OwnerTexts } from "../texts/owner-texts.ts";

type StoredKeys = Readonly<Record<Environment, boolean>>;

/** Order mode: the names of the payment method that sells and of the one for tests. */
export function gatewayFields({ gatewayName, testGatewayName, isDevelopment }: Shop, texts: OwnerTexts): Html {
  return html`<s-section class="polaris"><div class="field"><label for="gatewayName">${texts.gatewayName}</label><input id="gatewayName" name="gatewayName" maxlength="100" value="${gatewayName ?? ""}" required><p class="hint">${texts.gatewayHint}</p></div>
${!isDevelopment && html`<div class="field"><label for="testGatewayName">${texts.testGatewayName}</label><input id="testGatewayName" name="testGatewayName" maxlength="100" value="${testGatewayName ?? ""}"><p class="hint">${texts.testGatewayHint}</p></div>`}</s-section>`;
}

/** Order mode: which orders can be paid with the stored settings, and which of them only as tests. */
export function whatWorksNow(shop: Shop, keys: StoredKeys, texts: OwnerTexts): Html | false {
  if (shop.gatewayName === null) return false;
  const { heading } = texts.nowPossible;
  return html`<s-section class="polaris"><h2>${heading}</h2>${sentences(shop, keys, texts).map((text) => html`<p>${text}</p>`)}</s-section>`;
}

function sentences(
  { gatewayName, testGatewayName, isDevelopment }: Shop,
  keys: StoredKeys,
  { nowPossible: texts }: OwnerTexts,
): readonly string[] {
  const name = gatewayName ?? "";
  if (isDevelopment) return keys.test ? [texts.development] : [texts.development, texts.testsLackKey];
  const sales = keys.live ? texts.sales(name) : texts.salesLackKey(name);
  if (testGatewayName === null) return keys.live ? [sales] : [sales, texts.noTests];
  if (!keys.test) return [sales, texts.testsLackKey];
  return [sales, keys.live ? texts.freeOrders(testGatewayName) : texts.tests(testGatewayName)];
}
