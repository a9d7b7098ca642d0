import { Router } from "express";
import { basketsOf, withoutBasket, withQuantity } from "../cart.ts";
import { findProduct } from "../catalogue.ts";
import { findOrder, isOrderKey, isOrderOf, newOrderKey, placeOrder, readStock } from "../orders.ts";
import { cartPage } from "../pages/cart-page.ts";
import { frontPage } from "../pages/catalogue-page.ts";
import { checkoutPage } from "../pages/checkout-page.ts";
import { saveCart } from "../visit.ts";
import { type RouteContext, readField, showPage, showProblem, visitOf } from "./route-context.ts";
import { sendToPayment } from "./send-to-payment.ts";

/** The routes from the catalogue to the order: catalogue, cart, checkout. */
export function shoppingRoutes(context: RouteContext): Router {
  const { shop, cookies, clock } = context;
  const routes = Router();

  routes.get("/", async (request, response) => {
    const visit = visitOf(context, request, response);
    showPage(response, visit, frontPage(visit, await readStock(shop.db)));
  });

  routes.get("/cart", async (request, response) => {
    const visit = visitOf(context, request, response);
    showPage(response, visit, cartPage(visit, await readStock(shop.db)));
  });

  routes.post("/cart", (request, response) => {
    const visit = visitOf(context, request, response);
    const product = findProduct(readField(request, "product"));
    if (!product) return showProblem(response, visit, "badRequest");
    saveCart(response, withQuantity(visit.cart, product, (visit.cart.get(product.id) ?? 0) + 1), cookies);
    response.redirect(303, "/cart");
  });

  routes.post("/cart/:product", (request, response) => {
    const visit = visitOf(context, request, response);
    const product = findProduct(request.params.product);
    const quantity = readField(request, "quantity");
    if (!product || !/^\d{1,2}$/.test(quantity)) return showProblem(response, visit, "badRequest");
    saveCart(response, withQuantity(visit.cart, product, Number(quantity)), cookies);
    response.redirect(303, "/cart");
  });

  routes.get("/checkout/:currency", (request, response) => {
    const visit = visitOf(context, request, response);
    const basket = basketsOf(visit.cart).find(({ currency }) => currency === request.params.currency);
    if (!basket) return response.redirect(303, "/cart");
    showPage(response, visit, checkoutPage(visit, { basket, orderKey: newOrderKey(), pickupName: "", problem: null }));
  });

  routes.post("/orders", async (request, response) => {
    const visit = visitOf(context, request, response);
    const key = readField(request, "order");
    if (!isOrderKey(key)) return showProblem(response, visit, "badRequest");
    const basket = basketsOf(visit.cart).find(({ currency }) => currency === readField(request, "currency"));
    const pickupName = readField(request, "pickupName").trim().slice(0, 80);
    if (basket && pickupName === "") {
      const form = { basket, orderKey: key, pickupName, problem: visit.messages.pickupNameMissing };
      const address = `/checkout/${basket.currency}`;
      return showPage(response, { ...visit, address }, checkoutPage(visit, form), 422);
    }
    // An empty basket means that the form was submitted before, so continue with the payment of its order.
    if (!basket) return await sendToPayment(context, response, key);
    // A form that the browser restored from an earlier order must not be mistaken for the new cart's order.
    const earlierOrder = await findOrder(shop.db, { key });
    const orderKey = earlierOrder && !isOrderOf(earlierOrder, basket) ? newOrderKey() : key;
    await placeOrder(shop, { key: orderKey, pickupName, language: visit.language, basket, placedAt: clock.now() });
    saveCart(response, withoutBasket(visit.cart, basket), cookies);
    await sendToPayment(context, response, orderKey);
  });

  return routes;
}
