import { privateHeaders } from "@tillkit/server";
import type { RequestHandler } from "express";
import type { AppContext } from "../app-context.ts";
import { customerDataOf } from "../shops/customer-data.ts";
import { sendProblemPage } from "./problem-page.ts";
import { findOwnShop } from "./show-settings.ts";

const MOST_ORDERS = 500;

/**
 * `GET /shopify/settings/customer-data?orders=1001,1002`: a JSON file with everything that is stored about these orders of the
 * signed-in owner's shop, with which the owner answers a customer's request for their data.
 */
export function sendCustomerData(context: AppContext): RequestHandler {
  return async function customerData(request, response) {
    const shop = await findOwnShop(context, request);
    if (!shop) return sendProblemPage(request, response, "not_signed_in", 403);
    const orders = String(request.query.orders ?? "")
      .split(",")
      .filter((order) => /^\d{1,20}$/.test(order));
    const data = await customerDataOf(context, shop.domain, orders.slice(0, MOST_ORDERS));
    response.writeHead(200, {
      ...privateHeaders,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="customer-data.json"',
    });
    response.end(`${JSON.stringify(data, null, 2)}\n`);
  };
}
