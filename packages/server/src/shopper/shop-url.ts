import { codeOf, type Engine, resolveWithin, type ShopperOutcome } from "@tillkit/core";
import { serverLimits } from "../limits.ts";
import { webUrl } from "../pages/web-url.ts";
import type { OrderAttempt } from "./link-tokens.ts";

/** The shop's page for this outcome; null when the shop does not answer in time, and our page has no link to it. */
export async function readShopUrl(
  engine: Engine,
  { ref, attempt }: OrderAttempt,
  outcome: ShopperOutcome,
): Promise<string | null> {
  try {
    const store = await engine.store(ref.storeId);
    const url = store.shopperUrl(ref, attempt, outcome);
    return webUrl(await resolveWithin(engine.clock, serverLimits.shopUrlTimeoutMs, url));
  } catch (error) {
    engine.log.warn("page.shop_url_missing", { storeId: ref.storeId, outcome, code: codeOf(error) });
    return null;
  }
}
