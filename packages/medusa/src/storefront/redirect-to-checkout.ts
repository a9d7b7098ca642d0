/** What of a Medusa cart matters here: `POST /store/payment-collections/:id/payment-sessions` answers it too. */
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

/** The hosted page of a cart's payment session; null while there is none. */
export function checkoutUrlOf(cart: CartWithSessions): string | null {
  const sessions = cart.payment_collection?.payment_sessions ?? [];
  const session = sessions.find(({ provider_id: provider }) => provider.startsWith("pp_tillkit"));
  const url = session?.data?.checkout_url;
  return typeof url === "string" && /^https?:\/\//.test(url) ? url : null;
}

/**
 * Sends the shopper to the hosted page. In a browser as it is; on a server pass what redirects there, for example Next's
 * `redirect`.
 * @throws Error when the cart has no payment session of Tillkit
 */
export function redirectToCheckout(cart: CartWithSessions, go: (url: string) => void = goInBrowser): void {
  const url = checkoutUrlOf(cart);
  if (url === null) {
    throw new Error("This cart has no payment session of Tillkit: choose the payment method again.");
  }
  go(url);
}

function goInBrowser(url: string): void {
  const page = globalThis as { location?: { assign(url: string): void } };
  if (!page.location) throw new Error("There is no browser here: pass a function that redirects.");
  page.location.assign(url);
}
