import { codeOf, type Engine, type OrderRef, resolveWithin, type ShopperOutcome } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { webUrl } from "../web-url.ts";

/** Where the shop wants its shopper, or null when it cannot say now: our page does without. */
export async function shopUrl(
  engine: Engine,
  { ref, attempt }: { readonly ref: OrderRef; readonly attempt: string },
  outcome: ShopperOutcome,
): Promise<string | null> {
  try {
    const store = await engine.store(ref.storeId);
    return webUrl(await resolveWithin(engine.clock, hostLimits.shopUrlMs, store.shopperUrl(ref, attempt, outcome)));
  } catch (error) {
    engine.log.warn("page.shop_url_missing", { storeId: ref.storeId, outcome, code: codeOf(error) });
    return null;
  }
}
