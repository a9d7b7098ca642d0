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

/** The URL of the hosted page for this cart; null while the cart has no payment session of Tillkit. */
export function checkoutUrlOf(cart: CartWithSessions): string | null {
  const sessions = cart.payment_collection?.payment_sessions ?? [];
  const session = sessions.find(({ provider_id: providerId }) => providerId.startsWith("pp_tillkit"));
  const url = session?.data?.checkout_url;
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
