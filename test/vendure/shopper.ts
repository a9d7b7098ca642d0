import { createGraphQlCaller, type GraphQlCaller } from "@tillkit/example-vendure-store/graphql";
import type { ShopName } from "./environment.ts";

export type Checkout = { readonly url: string; readonly orderCode: string };

/** A shopper with a session of their own, who uses Vendure's Shop API as a storefront does. */
export type Shopper = {
  readonly call: GraphQlCaller;
  /** Fills the cart with a delivery address and method. @returns the order's code */
  fillCart(sku?: string): Promise<string>;
  addItem(sku: string): Promise<void>;
  /** Calls a mutation that changes the order. @throws Error with Vendure's message when Vendure fails */
  edit(mutation: string, inputType: string, input: object): Promise<void>;
  /** @returns Vendure's message when it refuses the state */
  moveTo(state: "AddingItems" | "ArrangingPayment" | "Cancelled"): Promise<string | null>;
  /** @throws Error with the reason that the shopper sees */
  createCheckout(): Promise<Checkout>;
  /** Fills a cart and starts its payment: the shopper is on the hosted page. */
  startPayment(sku?: string): Promise<StartedPayment>;
  /** Starts the payment of a cart that is filled already. */
  startPaymentOfCart(): Promise<StartedPayment>;
};

/** `checkoutId`: the id of the session at the service. */
export type StartedPayment = {
  readonly orderCode: string;
  readonly checkoutId: string;
  readonly url: string;
  readonly shopper: Shopper;
};

const ADDRESS = { fullName: "Awa Diallo", streetLine1: "Avenue 16", city: "Treichville" };
const COUNTRIES: Readonly<Record<ShopName, string>> = { ci: "CI", us: "US" };

export type ShopperOptions = {
  readonly url: string;
  readonly shop: ShopName;
  readonly variants: Variants;
  /** The id of the session at the service that was opened last for an order. */
  sessionOf(orderCode: string): Promise<string>;
};

export function createShopper({ url, shop, variants, sessionOf }: ShopperOptions): Shopper {
  const channel: Record<string, string> = shop === "us" ? { "vendure-token": "us" } : {};
  const call = createGraphQlCaller(`${url}/shop-api?languageCode=en`, channel);

  async function addItem(sku: string): Promise<void> {
    type Added = { addItemToOrder: { __typename: string; code?: string; message?: string } };
    const { addItemToOrder: added } = await call<Added>(
      `mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) {
         __typename ... on Order { code } ... on ErrorResult { message } } }`,
      { id: variants[sku] },
    );
    if (added.__typename !== "Order") throw new Error(added.message);
  }

  async function fillCart(sku = "basket"): Promise<string> {
    await addItem(sku);
    const contact = { firstName: "Awa", lastName: "Diallo", emailAddress: "awa@example.com" };
    await call("mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { __typename } }", {
      input: contact,
    });
    await call("mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { __typename } }", {
      input: { ...ADDRESS, countryCode: COUNTRIES[shop] },
    });
    type Methods = { eligibleShippingMethods: { id: string }[] };
    const { eligibleShippingMethods: methods } = await call<Methods>("{ eligibleShippingMethods { id } }");
    await call("mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }", {
      id: methods.slice(0, 1).map(({ id }) => id),
    });
    return (await call<{ activeOrder: { code: string } }>("{ activeOrder { code } }")).activeOrder.code;
  }

  async function createCheckout(): Promise<Checkout> {
    type Answer = { createTillkitCheckout: { url?: string; orderCode?: string; message?: string } };
    const { createTillkitCheckout: answer } = await call<Answer>(
      `mutation { createTillkitCheckout {
         ... on TillkitCheckout { url orderCode } ... on TillkitCheckoutError { errorCode message } } }`,
    );
    if (answer.url === undefined || answer.orderCode === undefined) throw new Error(answer.message);
    return { url: answer.url, orderCode: answer.orderCode };
  }

  const shopper: Shopper = {
    call,
    addItem,
    fillCart,
    createCheckout,
    async edit(mutation, inputType, input) {
      await call(`mutation ($input: ${inputType}!) { ${mutation}(input: $input) { __typename } }`, { input });
    },
    async moveTo(state) {
      type Moved = { transitionOrderToState: { __typename: string; transitionError?: string } | null };
      const { transitionOrderToState: moved } = await call<Moved>(
        `mutation ($state: String!) { transitionOrderToState(state: $state) {
           __typename ... on OrderStateTransitionError { transitionError } } }`,
        { state },
      );
      return moved?.__typename === "OrderStateTransitionError" ? (moved.transitionError ?? "refused") : null;
    },
    async startPayment(sku) {
      await fillCart(sku);
      return await shopper.startPaymentOfCart();
    },
    async startPaymentOfCart() {
      const { url: page, orderCode } = await createCheckout();
      return { orderCode, url: page, checkoutId: await sessionOf(orderCode), shopper };
    },
  };
  return shopper;
}

/** The ids of the products' variants by their SKU, as the Shop API names them. */
export type Variants = Readonly<Record<string, string>>;

export async function readVariants(url: string): Promise<Variants> {
  const call = createGraphQlCaller(`${url}/shop-api`);
  type Products = { products: { items: { variants: { id: string; sku: string }[] }[] } };
  const { products } = await call<Products>("{ products { items { variants { id sku } } } }");
  return Object.fromEntries(products.items.flatMap(({ variants }) => variants.map(({ sku, id }) => [sku, id])));
}
