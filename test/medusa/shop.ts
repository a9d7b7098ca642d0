import { type Answer, type Call, caller, good } from "./http.ts";

export type Currency = "xof" | "usd" | "kwd";

/** What the storefront may know of a payment session. */
export type PaymentSession = {
  readonly id: string;
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>>;
};
export type Cart = { readonly id: string; readonly total: number; readonly items: readonly { readonly id: string }[] };
export type Order = { readonly id: string; readonly total: number; readonly currency_code: string };
/** What Medusa answers when a cart is completed: the order, or the cart and why not. */
export type Completion = {
  readonly type?: "order" | "cart";
  readonly order?: Order;
  readonly error?: { readonly message: string; readonly type: string };
};

/** Presses Pay: what the storefront's page does over Medusa's store API. */
export type Shopper = {
  readonly call: Call;
  fillCart(currency: Currency, product: string, quantity?: number): Promise<Cart>;
  changeQuantity(cart: Cart, quantity: number): Promise<Cart>;
  /** A payment collection for the cart, and in it a session of our provider. */
  pressPay(cartId: string, data?: Readonly<Record<string, unknown>>): Promise<Answer<PressedPay>>;
  /** A cart whose shopper is on the hosted page now. */
  goToPay(currency: Currency, product?: string): Promise<Paying>;
  complete(cartId: string): Promise<Answer<Completion>>;
};
type PressedPay = {
  readonly payment_collection: { readonly id: string; readonly payment_sessions: readonly PaymentSession[] };
};
export type Paying = {
  readonly cartId: string;
  readonly collectionId: string;
  readonly session: PaymentSession;
  /** The id of the session at the payment service. */
  readonly checkoutId: string;
};

const PROVIDER = "pp_tillkit_tillkit";
const COUNTRIES: Readonly<Record<Currency, string>> = { xof: "ci", usd: "us", kwd: "kw" };

type Regions = { regions: { id: string; currency_code: string }[] };
type Products = { products: { handle: string; variants: { id: string }[] }[] };

export async function createShopper(url: () => string, publishableKey: string): Promise<Shopper> {
  const call = caller(url, { "x-publishable-api-key": publishableKey });
  const { regions } = await good(call<Regions>("GET", "/store/regions"));
  const { products } = await good(call<Products>("GET", "/store/products"));
  const regionOf = (currency: Currency) => regions.find((one) => one.currency_code === currency)?.id;
  const variantOf = (product: string) => products.find(({ handle }) => handle === product)?.variants[0]?.id;

  async function fillCart(currency: Currency, product: string, quantity = 1): Promise<Cart> {
    const address = {
      first_name: "Awa",
      last_name: "Diallo",
      address_1: "Avenue 16",
      city: "Treichville",
      country_code: COUNTRIES[currency],
    };
    const wish = {
      region_id: regionOf(currency),
      email: "awa@example.com",
      shipping_address: address,
      billing_address: address,
      items: [{ variant_id: variantOf(product), quantity }],
    };
    const { cart } = await good(call<{ cart: Cart }>("POST", "/store/carts", wish));
    if (product === VOUCHER) return cart;
    type Options = { shipping_options: { id: string }[] };
    const { shipping_options: options } = await good(
      call<Options>("GET", `/store/shipping-options?cart_id=${cart.id}`),
    );
    const shipped = call<{ cart: Cart }>("POST", `/store/carts/${cart.id}/shipping-methods`, {
      option_id: options[0]?.id,
    });
    return (await good(shipped)).cart;
  }

  async function pressPay(cartId: string, data?: Readonly<Record<string, unknown>>): Promise<Answer<PressedPay>> {
    type Collection = { payment_collection: { id: string } };
    const { payment_collection: collection } = await good(
      call<Collection>("POST", "/store/payment-collections", { cart_id: cartId }),
    );
    return await call("POST", `/store/payment-collections/${collection.id}/payment-sessions`, {
      provider_id: PROVIDER,
      ...(data === undefined ? {} : { data }),
    });
  }

  return {
    call,
    fillCart,
    pressPay,
    async changeQuantity({ id, items }, quantity) {
      const changed = call<{ cart: Cart }>("POST", `/store/carts/${id}/line-items/${items[0]?.id}`, { quantity });
      return (await good(changed)).cart;
    },
    async goToPay(currency, product = VOUCHER) {
      const { id: cartId } = await fillCart(currency, product);
      return payingOf(cartId, await good(pressPay(cartId)));
    },
    complete: (cartId) => call("POST", `/store/carts/${cartId}/complete`),
  };
}

/** Needs no parcel, so its cart is filled sooner. */
const VOUCHER = "voucher";

export function payingOf(cartId: string, { payment_collection: { id, payment_sessions } }: PressedPay): Paying {
  const session = payment_sessions.at(-1);
  const checkoutId = session?.data.checkout_session_id;
  if (!session || typeof checkoutId !== "string") throw new Error("Medusa has no session of ours for this cart.");
  return { cartId, collectionId: id, session, checkoutId };
}
