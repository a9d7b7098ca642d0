import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock, Money } from "@tillkit/core";
import type { PostedPayment } from "../src/platform-wire.ts";

type Fault = "lost-before-effect" | "lost-after-effect" | { readonly lateMs: number };
type Attempt = { readonly orderId: string; readonly total: Money };

/** A small platform: orders, their payment attempts, and a route through which an app reports a payment. */
export async function openPlatform(clock: Clock) {
  const orders = new Map<string, { total: Money; closed: boolean; paidBy: string | null; timesPaid: number }>();
  const attempts = new Map<string, Attempt>();
  const faults: Fault[] = [];
  let down = false;

  function applyPayment(body: {
    readonly order_transaction_id: string;
    readonly channel_order_transaction_id: string;
  }) {
    const attempt = attempts.get(body.order_transaction_id);
    const order = attempt && orders.get(attempt.orderId);
    if (!order) return { status: 404, code: "NOT_FOUND" };
    if (order.paidBy === body.channel_order_transaction_id) return { status: 200, code: "DUPLICATE" };
    // The attempt holds the same object until the order's total is changed.
    const isEdited = attempt.total !== order.total;
    if (order.closed || order.paidBy !== null || isEdited) return { status: 200, code: "CLOSED" };
    order.paidBy = body.channel_order_transaction_id;
    order.timesPaid += 1;
    return { status: 200, code: "SUCCESS" };
  }

  const server = createServer(async (request, response) => {
    const body = JSON.parse(await read(request));
    if (down) return response.writeHead(503).end();
    const fault = faults.shift();
    if (fault === "lost-before-effect") return response.destroy();
    if (typeof fault === "object") await clock.sleep(fault.lateMs);
    const { status, code } = applyPayment(body);
    if (fault === "lost-after-effect") return response.destroy();
    return response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ code }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    notifyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay.json`,
    order: (id: string) => orders.get(id),
    place(total: Money) {
      const id = `order-${orders.size + 1}`;
      orders.set(id, { total, closed: false, paidBy: null, timesPaid: 0 });
      return id;
    },
    /** Adds an attempt to the order. Returns the body that the platform posts to the app for it. */
    post(orderId: string, language = "en"): PostedPayment {
      const total = orders.get(orderId)?.total;
      if (!total) throw new Error(`There is no order ${orderId}.`);
      const id = `ot_${attempts.size + 1}`;
      attempts.set(id, { orderId, total });
      return {
        orderTransactionId: id,
        referenceOrderId: orderId,
        amount: total.minor,
        currency: total.currency,
        redirectUrl: `https://shop.example/done/${id}`,
        cancelUrl: `https://shop.example/checkout/${id}`,
        language,
        live: false,
      };
    },
    setDown: (isDown: boolean) => {
      down = isDown;
    },
    fail: (fault: Fault) => faults.push(fault),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
