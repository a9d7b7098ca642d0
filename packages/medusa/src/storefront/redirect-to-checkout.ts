import { AT_PAY } from "../provider/at-pay.ts";

/** The part of a Medusa cart that is read here. The answer of `POST /store/payment-collections/:id/payment-sessions` has it too. */
export type CartWithSessions = {
  readonly payment_collection?:
    | {
        readonly payment_sessions?:
          | readonly {
              readonly provider_id: string;
              readonly data?: Readonly<Record<string, unknown>> | null;
            }[]
          | null;
      }
    | null
    | undefined;
};

/** A payment session as Medusa's store API returns it. */
export type StoreSession = {
  readonly status: string;
  readonly data?: Readonly<Record<string, unknown>> | null;
};

/**
 * Whether a storefront may go on with this session instead of creating another one: it is pending, or it is ours and its page can
 * still be paid.
 */
export function isActiveSession({ status, data }: StoreSession): boolean {
  if (status === "pending") return true;
  const expiresAt = data?.expires_at;
  return status === "requires_more" && typeof expiresAt === "string" && new Date(expiresAt).getTime() > Date.now();
}

/**
 * What a storefront sends to Medusa when the shopper chooses a payment method. Ours opens no page then: `openCheckout` does when the
 * shopper presses *Pay*, so that the changes of a cart in between cost the service nothing.
 */
export function paymentChoice(providerId: string): { provider_id: string; data?: Record<string, unknown> } {
  return { provider_id: providerId, ...(isOurs(providerId) ? { data: { opens: AT_PAY } } : {}) };
}

function isOurs(providerId: string): boolean {
  return providerId.startsWith("pp_tillkit");
}

let opening: Promise<CartWithSessions> | null = null;

/**
 * Sends the shopper who presses *Pay* to the hosted page. `initiate` creates the cart's payment session in Medusa, which opens the page; it
 * is called once, however often the button is pressed, and not at all while a page of this cart can still be paid.
 * @throws Error of `initiate`; when its answer has no payment session of Tillkit
 */
export async function openCheckout(
  cart: CartWithSessions,
  initiate: () => Promise<CartWithSessions>,
  redirect: (url: string) => void = redirectInBrowser,
): Promise<void> {
  if (hasOpenPage(cart)) return redirectToCheckout(cart, redirect);
  opening ??= initiate().finally(() => {
    opening = null;
  });
  redirectToCheckout(await opening, redirect);
}

function hasOpenPage(cart: CartWithSessions): boolean {
  const data = ourSessionOf(cart)?.data;
  return checkoutUrlOf(cart) !== null && isActiveSession({ status: "requires_more", data: data ?? null });
}

function ourSessionOf(cart: CartWithSessions) {
  return cart.payment_collection?.payment_sessions?.find(({ provider_id: providerId }) => isOurs(providerId));
}

/** The URL of the hosted page for this cart; null while it has none. */
export function checkoutUrlOf(cart: CartWithSessions): string | null {
  const url = ourSessionOf(cart)?.data?.checkout_url;
  return typeof url === "string" && /^https?:\/\//.test(url) ? url : null;
}

/**
 * Sends the shopper to the hosted page. Outside a browser, pass a function that redirects, such as `redirect` of Next.js.
 * @throws Error when the cart has no payment session of Tillkit
 */
export function redirectToCheckout(cart: CartWithSessions, redirect: (url: string) => void = redirectInBrowser): void {
  const url = checkoutUrlOf(cart);
  if (url === null) {
    throw new Error("This cart has no payment session of Tillkit. Choose the payment method again.");
  }
  redirect(url);
}

function redirectInBrowser(url: string): void {
  const page = globalThis as { location?: { assign(url: string): void } };
  if (!page.location) throw new Error("redirectToCheckout runs outside a browser: pass a function that redirects.");
  page.location.assign(url);
}
