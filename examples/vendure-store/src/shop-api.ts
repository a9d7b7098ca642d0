import { createGraphQlCaller, type GraphQlCaller } from "./graphql.ts";

/** Requests to Vendure's Shop API in the session of one shopper. `channel`: the token of Vendure's channel; null: the default channel. */
export function openShopApi(url: string, channel: string | null): GraphQlCaller {
  return createGraphQlCaller(`${url}/shop-api`, channel === null ? {} : { "vendure-token": channel });
}

/** Puts one product into a new order, with an address and a delivery, as the pages of a storefront do step by step. */
export async function fillOrder(shopApi: GraphQlCaller, variantId: string): Promise<void> {
  await shopApi("mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }", {
    id: variantId,
  });
  await shopApi("mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { __typename } }", {
    input: { firstName: "Awa", lastName: "Diallo", emailAddress: "awa@example.com" },
  });
  await shopApi("mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { __typename } }", {
    input: { fullName: "Awa Diallo", streetLine1: "Avenue 16", city: "Treichville", countryCode: "CI" },
  });
  type Methods = { eligibleShippingMethods: { id: string }[] };
  const { eligibleShippingMethods: methods } = await shopApi<Methods>("{ eligibleShippingMethods { id } }");
  await shopApi("mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }", {
    id: methods.slice(0, 1).map(({ id }) => id),
  });
}

export type Product = {
  readonly name: string;
  readonly variants: readonly { readonly id: string; readonly priceWithTax: number; readonly currencyCode: string }[];
};

export async function readProducts(shopApi: GraphQlCaller): Promise<readonly Product[]> {
  const query = "{ products { items { name variants { id priceWithTax currencyCode } } } }";
  return (await shopApi<{ products: { items: Product[] } }>(query)).products.items;
}
