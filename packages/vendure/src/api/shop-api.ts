import { Mutation } from "@nestjs/graphql";
import { CheckoutError, codeOf, confirmForShopper, type Language } from "@tillkit/core";
import { Allow, isGraphQlErrorResult, Permission, type RequestContext } from "@vendure/core";
import { type DocumentNode, parse } from "graphql";
import { requireCheckout } from "../current-checkout.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { channelOf, readOrder } from "../order/read-order.ts";
import { findPaymentMethod } from "../payment-method.ts";
import { languageOf, pluginTexts } from "../texts.ts";
import { toOrder } from "../vendure-adapter.ts";
import { decorateResolver } from "./decorate.ts";

export const shopSchema: DocumentNode = parse(`
  "The hosted page of the payment service, where the shopper pays the order."
  type TillkitCheckout {
    url: String!
    orderCode: String!
  }
  type TillkitCheckoutError implements ErrorResult {
    errorCode: ErrorCode!
    message: String!
  }
  union CreateTillkitCheckoutResult = TillkitCheckout | TillkitCheckoutError
  extend type Mutation {
    "Moves the active order to ArrangingPayment and opens its hosted page, or returns the page that is open already."
    createTillkitCheckout: CreateTillkitCheckoutResult!
  }
`);

type CheckoutResult =
  | { readonly __typename: "TillkitCheckout"; readonly url: string; readonly orderCode: string }
  | { readonly __typename: "TillkitCheckoutError"; readonly errorCode: string; readonly message: string };

export class TillkitShopResolver {
  async createTillkitCheckout(context: RequestContext): Promise<CheckoutResult> {
    const checkout = requireCheckout();
    try {
      return await start(checkout, context);
    } catch (error) {
      if (error instanceof ShopperError) return refusal(error.message);
      checkout.log.warn("checkout.not_started", { code: codeOf(error), error: nameOf(error) });
      return refusal(messageFor(error, languageOf(context)));
    }
  }
}

decorateResolver(TillkitShopResolver, { createTillkitCheckout: [Mutation(), Allow(Permission.Owner)] });

/** A reason that the shopper can act on. */
class ShopperError extends Error {}

async function start(checkout: VendureCheckout, context: RequestContext): Promise<CheckoutResult> {
  const { services, server } = checkout;
  const language = languageOf(context);
  const texts = pluginTexts(language);
  const active = await services.activeOrders.getActiveOrder(context, undefined);
  if (!active) throw new ShopperError(texts.noOrder);
  if (active.state === "AddingItems") {
    const moved = await services.orders.transitionToState(context, active.id, "ArrangingPayment");
    if (isGraphQlErrorResult(moved)) throw new ShopperError(texts.notReady(reasonOf(moved)));
  }
  const shop = checkout.shopOf(context.channel.code);
  const order = shop && (await readOrder(services, context, shop.shop, active.code));
  if (!shop || !order || channelOf(order) !== context.channel.code) {
    throw new CheckoutError("configuration_invalid", `The channel ${context.channel.code} has no shop of Tillkit.`);
  }
  await findPaymentMethod(services, context);
  const ref = { storeId: shop.shop.channel, orderId: order.code };
  const started = await server.startCheckout({ ...toOrder(order, ref, { ...shop, language }), language });
  // An order that was reopened and is back at its old total takes the payment that was held meanwhile.
  const held = started.status === "held" ? await confirmForShopper(server.engine, started.paymentId) : null;
  if (started.status === "paid" || held?.status === "paid") throw new ShopperError(texts.alreadyPaid);
  if (started.status === "held") throw new ShopperError(texts.paymentHeld);
  return { __typename: "TillkitCheckout", url: started.url, orderCode: order.code };
}

// An error's message may contain a row of the database; its name cannot.
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

function messageFor(error: unknown, language: Language): string {
  const texts = pluginTexts(language);
  const isAmount = codeOf(error) === "amount_invalid" || codeOf(error) === "currency_not_supported";
  return isAmount ? texts.notTaken : texts.notStarted;
}

function reasonOf(result: { readonly message: string; readonly transitionError?: string }): string {
  return result.transitionError ?? result.message;
}

function refusal(message: string): CheckoutResult {
  return { __typename: "TillkitCheckoutError", errorCode: "TILLKIT_CHECKOUT_ERROR", message };
}
