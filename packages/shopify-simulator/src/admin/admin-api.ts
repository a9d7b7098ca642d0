import { apiVersions } from "../graphql/api-versions.ts";
import { connection } from "../graphql/connection.ts";
import type { RootResolvers } from "../graphql/graphql-operation.ts";
import { SHOP_ID } from "../shop-id.ts";
import { type AdminContext, orderResult } from "./admin-context.ts";
import { metafieldResolvers } from "./metafields.ts";
import { orderChangeResolvers } from "./order-changes.ts";
import { orderPaymentResolvers } from "./order-payments.ts";
import { refundResolvers } from "./order-refunds.ts";
import { findOrders } from "./orders-query.ts";
import type { ShopOrder } from "./shop-orders.ts";
import { subscriptionResolvers } from "./webhook-subscriptions.ts";

/** The root resolvers of the Admin API: orders with their payments and refunds, webhook subscriptions and the shop. */
export function adminResolvers(context: AdminContext): RootResolvers {
  const { clock, orders } = context;
  const resultOf = (order: ShopOrder | null) => order && orderResult(context, order);
  return {
    publicApiVersions: () => apiVersions(clock.now()),
    shop: () => shopObject(context),
    currentAppInstallation: () => ({
      id: "gid://shopify/AppInstallation/1",
      accessScopes: context.scopes().map((handle) => ({ handle, description: handle })),
    }),
    order: ({ id }: { id: string }) => resultOf(orders.find(id)),
    node: ({ id }: { id: string }) => resultOf(orders.find(id)),
    orders: (args: Parameters<typeof findOrders>[1]) => {
      const { found, hasNextPage } = findOrders(orders.all, args);
      return connection(found.map(resultOf), hasNextPage);
    },
    ...orderPaymentResolvers(context),
    ...refundResolvers(context),
    ...orderChangeResolvers(context),
    ...metafieldResolvers(context),
    ...subscriptionResolvers(context.subscriptions, clock),
  };
}

function shopObject({ domain, origin, currency, plan, name }: AdminContext) {
  return {
    id: `gid://shopify/Shop/${SHOP_ID}`,
    name,
    email: "owner@shop.example",
    contactEmail: "hello@shop.example",
    myshopifyDomain: domain,
    url: origin,
    currencyCode: currency,
    plan: {
      partnerDevelopment: plan === "development",
      shopifyPlus: plan === "plus",
      publicDisplayName: { development: "Development", basic: "Basic", plus: "Plus" }[plan],
    },
    ianaTimezone: "Africa/Abidjan",
    primaryDomain: { id: "gid://shopify/Domain/1", host: domain, url: origin },
  };
}
