import { codeOf, type Engine, type ShopperOutcome } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import { serverLimits } from "../limits.ts";
import { webUrl } from "../pages/web-url.ts";
import type { OrderAttempt } from "./link-tokens.ts";

/** The URL of the shop's page for this outcome. Null when it cannot be read, for any reason; our page then shows no link to the shop. */
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
