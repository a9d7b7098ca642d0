import { type Call, createCaller, expectOk, type HttpAnswer } from "./http.ts";
import { waitUntil } from "./probe.ts";

export type Currency = "xof" | "usd" | "kwd";

/** The part of a payment session that the storefront receives. */
export type PaymentSession = {
  readonly id: string;
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export type Cart = { readonly id: string; readonly total: number; readonly items: readonly { readonly id: string }[] };
export type Order = { readonly id: string; readonly total: number; readonly currency_code: string };
/** Medusa's answer to a cart completion: the order, or the cart with an error. */
export type Completion = {
  readonly type?: "order" | "cart" | "unknown_error";
  readonly order?: Order;
  readonly error?: { readonly message: string; readonly type: string };
};

/** A shopper who uses Medusa's store API as the storefront does. */
export type Shopper = {
  readonly call: Call;
  fillCart(currency: Currency, product: string, quantity?: number): Promise<Cart>;
  changeQuantity(cart: Cart, quantity: number): Promise<Cart>;
  /** Creates a payment collection for the cart and a session of our provider in it. */
  createPaymentSession(cartId: string, data?: Readonly<Record<string, unknown>>): Promise<HttpAnswer<CreatedSession>>;
  /** Fills a cart and starts its payment: the shopper is on the hosted page. */
  startPayment(currency: Currency, product?: string): Promise<StartedPayment>;
  /** Asks again until Medusa answers about this cart. */
  completeCart(cartId: string): Promise<HttpAnswer<Completion>>;
  /** One request, whatever Medusa answers. */
  completeOnce(cartId: string): Promise<HttpAnswer<Completion>>;
};
type CreatedSession = {
  readonly payment_collection: { readonly id: string; readonly payment_sessions: readonly PaymentSession[] };
};

export type StartedPayment = {
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
  const call = createCaller(url, { "x-publishable-api-key": publishableKey });
  const { regions } = await expectOk(call<Regions>("GET", "/store/regions"));
  const { products } = await expectOk(call<Products>("GET", "/store/products"));
  const regionOf = (currency: Currency) => regions.find((region) => region.currency_code === currency)?.id;
  const variantOf = (product: string) => products.find(({ handle }) => handle === product)?.variants[0]?.id;

  async function fillCart(currency: Currency, product: string, quantity = 1): Promise<Cart> {
    const address = {
      first_name: "Awa",
      last_name: "Diallo",
      address_1: "Avenue 16",
      city: "Treichville",
      country_code: COUNTRIES[currency],
    };
    const body = {
      region_id: regionOf(currency),
      email: "awa@example.com",
      shipping_address: address,
      billing_address: address,
      items: [{ variant_id: variantOf(product), quantity }],
    };
    const { cart } = await expectOk(call<{ cart: Cart }>("POST", "/store/carts", body));
    if (product === VOUCHER) return cart;
    type Options = { shipping_options: { id: string }[] };
    const { shipping_options: options } = await expectOk(
      call<Options>("GET", `/store/shipping-options?cart_id=${cart.id}`),
    );
    const shippingRequest = call<{ cart: Cart }>("POST", `/store/carts/${cart.id}/shipping-methods`, {
      option_id: options[0]?.id,
    });
    return (await expectOk(shippingRequest)).cart;
  }

  async function createPaymentSession(
    cartId: string,
    data?: Readonly<Record<string, unknown>>,
  ): Promise<HttpAnswer<CreatedSession>> {
    type Collection = { payment_collection: { id: string } };
    const { payment_collection: collection } = await expectOk(
      call<Collection>("POST", "/store/payment-collections", { cart_id: cartId }),
    );
    return await call("POST", `/store/payment-collections/${collection.id}/payment-sessions`, {
      provider_id: PROVIDER,
      ...(data === undefined ? {} : { data }),
    });
  }

  const completeOnce = (cartId: string) => call<Completion>("POST", `/store/carts/${cartId}/complete`);

  return {
    call,
    fillCart,
    createPaymentSession,
    async changeQuantity({ id, items }, quantity) {
      const changeRequest = call<{ cart: Cart }>("POST", `/store/carts/${id}/line-items/${items[0]?.id}`, { quantity });
      return (await expectOk(changeRequest)).cart;
    },
    async startPayment(currency, product = VOUCHER) {
      const { id: cartId } = await fillCart(currency, product);
      return startedPaymentOf(cartId, await expectOk(createPaymentSession(cartId)));
    },
    completeOnce,
    // Another request, which may be the plugin's own, is completing the same cart: Medusa answers 409, or an unknown error after it waited
    // 30 s for the cart's lock. A storefront asks again.
    completeCart: (cartId) =>
      waitUntil(
        () => completeOnce(cartId),
        ({ status, body }) => status !== 409 && body?.type !== "unknown_error",
      ),
  };
}

/** A product without shipping, whose cart needs fewer requests. */
const VOUCHER = "voucher";

export function startedPaymentOf(
  cartId: string,
  { payment_collection: { id, payment_sessions } }: CreatedSession,
): StartedPayment {
  const session = payment_sessions.at(-1);
  const checkoutId = session?.data.checkout_session_id;
  if (!session || typeof checkoutId !== "string") throw new Error("Medusa has no Tillkit session for this cart.");
  return { cartId, collectionId: id, session, checkoutId };
}
