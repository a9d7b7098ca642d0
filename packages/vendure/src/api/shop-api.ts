import { Mutation } from "@nestjs/graphql";
import { CheckoutError, codeOf, confirmForShopper, type Language } from "@tillkit/core";
import { Allow, isGraphQlErrorResult, Permission, type RequestContext } from "@vendure/core";
import { type DocumentNode, parse } from "graphql";
import { requireCheckout } from "../current-checkout.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { hasAuthorizedPart } from "../order/paid-by.ts";
import { channelOf, readOrder } from "../order/read-order.ts";
import { findPaymentMethod, missingMethodError } from "../payment-method.ts";
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
    "Moves the active order to ArrangingPayment and opens a hosted page for it, or returns the page that is already open."
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
      return await startCheckout(checkout, context);
    } catch (error) {
      if (error instanceof ShopperError) return refusal(error.message);
      checkout.log.warn("checkout.not_started", { code: codeOf(error), error: nameOf(error) });
      return refusal(messageFor(error, languageOf(context)));
    }
  }
}

decorateResolver(TillkitShopResolver, { createTillkitCheckout: [Mutation(), Allow(Permission.Owner)] });

/** An error whose message is for the shopper. Every other message could contain details of the shop. */
class ShopperError extends Error {}

async function startCheckout(checkout: VendureCheckout, context: RequestContext): Promise<CheckoutResult> {
  const { services, server } = checkout;
  const language = languageOf(context);
  const texts = pluginTexts(language);
  const active = await services.activeOrders.getActiveOrder(context, undefined);
  if (!active) throw new ShopperError(texts.noOrder);
  if (active.state === "AddingItems") {
    const moved = await services.orders.transitionToState(context, active.id, "ArrangingPayment");
    if (isGraphQlErrorResult(moved)) throw new ShopperError(texts.notReady(reasonOf(moved)));
  }
  const adapterOptions = checkout.shopOf(context.channel.code);
  const order = adapterOptions && (await readOrder(services, context, adapterOptions.shop, active.code));
  if (!adapterOptions || !order || channelOf(order) !== context.channel.code) {
    throw new CheckoutError("configuration_invalid", `The channel ${context.channel.code} has no shop of Tillkit.`);
  }
  // Without an enabled payment method the order could not be marked paid later. The method itself is not needed here.
  if (!(await findPaymentMethod(services, context))) throw missingMethodError(context);
  // Vendure would not settle the order with our payment as long as the other payment is not charged.
  if (hasAuthorizedPart(order)) throw new ShopperError(texts.notReady(texts.partAuthorized));
  const ref = { storeId: adapterOptions.shop.channel, orderId: order.code };
  const started = await server.startCheckout({ ...toOrder(order, ref, { ...adapterOptions, language }), language });
  // A shopper may have changed the order and then changed it back to its old total. A payment that was held meanwhile matches now.
  const confirmed = started.status === "held" ? await confirmForShopper(server.engine, started.paymentId) : null;
  if (started.status === "paid" || confirmed?.status === "paid") throw new ShopperError(texts.alreadyPaid);
  if (started.status === "held") throw new ShopperError(texts.paymentHeld);
  return { __typename: "TillkitCheckout", url: started.url, orderCode: order.code };
}

// The message of an error may contain a row of the database. The name of an error cannot.
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

function messageFor(error: unknown, language: Language): string {
  const texts = pluginTexts(language);
  const isAmountRefused = codeOf(error) === "amount_invalid" || codeOf(error) === "currency_not_supported";
  return isAmountRefused ? texts.notTaken : texts.notStarted;
}

function reasonOf(result: { readonly message: string; readonly transitionError?: string }): string {
  return result.transitionError ?? result.message;
}

function refusal(message: string): CheckoutResult {
  return { __typename: "TillkitCheckoutError", errorCode: "TILLKIT_CHECKOUT_ERROR", message };
}
