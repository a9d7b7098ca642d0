import { codeOf, type Engine, type Payment } from "@tillkit/core";
import { webUrl } from "../pages/web-url.ts";
import { readShopUrl } from "./shop-url.ts";
import { type PageResponse, pageResponse, type ShopperResponse } from "./shopper-response.ts";

export const BAD_LINKS = {
  malformed: pageResponse("linkBroken", 404),
  forged: pageResponse("linkForged", 403),
  expired: pageResponse("linkExpired", 410),
} as const satisfies Readonly<Record<string, PageResponse>>;

/**
 * The page for a link that is cut off, changed or too old. If its text still names a payment, the page names the shop and links
 * to the shop's front page. It shows nothing else of the payment, and calls the shop only for an expired link, because anybody can
 * write the text of another link.
 */
export async function badLinkPage(
  engine: Engine,
  token: string,
  status: keyof typeof BAD_LINKS,
): Promise<PageResponse> {
  const answer = BAD_LINKS[status];
  try {
    const payment = await findNamedPayment(engine, token);
    if (payment === null) return answer;
    const { name: shopName = null, branding = {} } = await engine.store(payment.ref.storeId);
    let shopUrl = webUrl(branding.homeUrl ?? null);
    // Only an expired link carries our signature, so only then may the shop be asked for an address.
    if (shopUrl === null && status === "expired") shopUrl = await frontPageUrl(engine, payment);
    return { ...answer, page: { ...answer.page, shopName, shopUrl, branding } };
  } catch (error) {
    engine.log.warn("page.shop_not_found", { code: codeOf(error) });
    return answer;
  }
}

export type ListStores = () => Promise<readonly string[]>;

/** A page that knows no shop leads to the front page of the only shop of this server, where there is only one. */
export async function addOnlyShop(
  engine: Engine,
  answer: ShopperResponse,
  listStores: ListStores,
): Promise<ShopperResponse> {
  if (answer.kind !== "page" || answer.page.shopUrl !== null || answer.page.payment !== null) return answer;
  try {
    const [storeId, ...others] = await listStores();
    if (storeId === undefined || others.length > 0) return answer;
    const { name: shopName = null, branding = {} } = await engine.store(storeId);
    return { ...answer, page: { ...answer.page, shopName, branding, shopUrl: webUrl(branding.homeUrl ?? null) } };
  } catch (error) {
    engine.log.warn("page.shop_not_found", { code: codeOf(error) });
    return answer;
  }
}

async function frontPageUrl(engine: Engine, payment: Payment): Promise<string | null> {
  const shopPage = await readShopUrl(engine, payment, "waiting");
  return shopPage === null ? null : `${new URL(shopPage).origin}/`;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

async function findNamedPayment({ ledger }: Engine, token: string): Promise<Payment | null> {
  const id = Buffer.from(token.split(".", 1)[0] ?? "", "base64url").toString();
  return UUID.test(id) ? await ledger.find({ id }) : null;
}
