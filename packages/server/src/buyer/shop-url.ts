import { type BuyerOutcome, codeOf, type Engine, type OrderRef } from "@tillkit/core";
import { within } from "../patience.ts";
import { webUrl } from "../web-url.ts";

const SHOP_URL_MS = 3_000;

/** Where the shop wants its shopper, or null when it cannot say now: our page does without. */
export async function shopUrl(
  engine: Engine,
  { ref, attempt }: { readonly ref: OrderRef; readonly attempt: string },
  outcome: BuyerOutcome,
): Promise<string | null> {
  try {
    const store = await engine.store(ref.storeId);
    return webUrl(await within(engine.clock, SHOP_URL_MS, store.buyerUrl(ref, attempt, outcome)));
  } catch (error) {
    engine.log.warn("page.shop_url_missing", { storeId: ref.storeId, outcome, code: codeOf(error) });
    return null;
  }
}
