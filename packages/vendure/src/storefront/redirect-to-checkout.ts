const MUTATION = `mutation CreateTillkitCheckout {
  createTillkitCheckout {
    __typename
    ... on TillkitCheckout { url orderCode }
    ... on TillkitCheckoutError { message }
  }
}`;

/**
 * Your storefront's function for requests to the Shop API: sends the query with the session of the shopper and returns the field
 * `data` of the response. The errors of this function reach the caller of `createCheckout`.
 */
export type ShopApi = (query: string) => Promise<unknown>;

/** The hosted page of the order, or why the order cannot be paid now. `message` is in the language of the request. */
export type CheckoutAnswer =
  | { readonly status: "redirect"; readonly url: string; readonly orderCode: string }
  | { readonly status: "refused"; readonly message: string };

/** Asks for the hosted page of the active order. Further calls return the same page until the order changes. */
export async function createCheckout(shopApi: ShopApi): Promise<CheckoutAnswer> {
  const data = (await shopApi(MUTATION)) as { createTillkitCheckout?: Readonly<Record<string, string>> } | null;
  const { __typename, url = "", orderCode = "", message = "" } = data?.createTillkitCheckout ?? {};
  if (__typename === "TillkitCheckout") return { status: "redirect", url, orderCode };
  if (__typename === "TillkitCheckoutError") return { status: "refused", message };
  throw new Error("The Shop API did not answer createTillkitCheckout: is the plugin in Vendure's config?");
}

/**
 * For the button *Pay*: sends the shopper's browser to the hosted page. If the order cannot be paid now, the browser stays, and the
 * answer has the reason to show.
 */
export async function redirectToCheckout(
  shopApi: ShopApi,
  go: (url: string) => void = goInBrowser,
): Promise<CheckoutAnswer> {
  const answer = await createCheckout(shopApi);
  if (answer.status === "redirect") go(answer.url);
  return answer;
}

function goInBrowser(url: string): void {
  (globalThis as unknown as { location: { assign(url: string): void } }).location.assign(url);
}
