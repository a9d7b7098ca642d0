import { type BuyerOutcome, codeOf, type Engine, type OrderRef, within } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { webUrl } from "../web-url.ts";

/** Where the shop wants its shopper, or null when it cannot say now: our page does without. */
export async function shopUrl(
  engine: Engine,
  { ref, attempt }: { readonly ref: OrderRef; readonly attempt: string },
  outcome: BuyerOutcome,
): Promise<string | null> {
  try {
    const store = await engine.store(ref.storeId);
    return webUrl(await within(engine.clock, hostLimits.shopUrlMs, store.buyerUrl(ref, attempt, outcome)));
  } catch (error) {
    engine.log.warn("page.shop_url_missing", { storeId: ref.storeId, outcome, code: codeOf(error) });
    return null;
  }
}
