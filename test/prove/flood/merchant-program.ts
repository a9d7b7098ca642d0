import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { money, type Order, type StoreAdapter } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { giveWay, type ProcessRole } from "@tillkit/runtime";
import { createCheckoutServer } from "@tillkit/server";
import { ORDER_AMOUNT } from "./external-services.ts";
import { API_KEY, ENDPOINT, type ProcessMessage, SECRET, type Work } from "./messages.ts";

// The merchant's server in its own process: node merchant-program.ts <ledger URL | empty> <URL of the external services> <role>
const [ledgerUrl = "", externalUrl = "", role = "both"] = process.argv.slice(2);

if (ledgerUrl === "empty") await serve((request, response) => request.resume().once("end", () => response.end("{}")));
else await serveCheckout();

async function serveCheckout(): Promise<void> {
  giveWay(role as ProcessRole);
  const ledger = await openLedger(ledgerUrl);
  const checkout = createCheckoutServer({
    publicUrl: "https://shop.example",
    keys: ["a key of the flooded shop, made up for this test"],
    ledger,
    role: role as ProcessRole,
    stores: { boutique: createStore(externalUrl) },
    credentials: [
      {
        storeIds: ["boutique"],
        apiKey: API_KEY,
        baseUrl: `${externalUrl}/v1`,
        endpointId: ENDPOINT,
        webhookSecrets: [SECRET],
      },
    ],
  });
  await serve(
    checkout.listener((_, response) => response.writeHead(404).end()),
    {
      async start(count) {
        for (let order = 0; order < count; order += 1) await checkout.startCheckout(createOrder(`order-${order}`));
      },
      async work() {
        checkout.startTimer();
      },
      async close() {
        await checkout.close();
        await ledger.close();
      },
    },
  );
}

async function serve(listener: RequestListener, work: Partial<Work> = {}): Promise<void> {
  const server = createServer(listener);
  // Longer than any connection is idle: a connection that closes during a request would look like a lost delivery.
  server.keepAliveTimeout = 10 * 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.on("message", async (request: { readonly [Name in keyof Work]?: number }) => {
    if (request.start !== undefined) await work.start?.(request.start);
    if (request.work !== undefined) await work.work?.();
    if (request.close !== undefined) await work.close?.();
    const { user, system } = process.cpuUsage();
    send({ rssMb: process.memoryUsage.rss() / 2 ** 20, cpuMs: (user + system) / 1_000 });
  });
  process.on("disconnect", () => process.exit());
  send({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** A shop without protection against double payment: the engine must write each payment once. */
function createStore(url: string): StoreAdapter {
  async function callShop(orderId: string, init: RequestInit = {}): Promise<{ paidBy: string | null }> {
    const answer = await fetch(`${url}/shop/orders/${orderId}`, init);
    return (await answer.json()) as { paidBy: string | null };
  }
  return {
    platform: "flooded",
    writes: { kind: "read-then-write", settleAfterMs: 1_000 },
    async findOrder({ orderId }) {
      const { paidBy } = await callShop(orderId);
      return { ...createOrder(orderId), paidBy, payable: paidBy === null };
    },
    async markPaid({ ref, paymentId }) {
      if ((await callShop(ref.orderId)).paidBy === paymentId) return { outcome: "already", evidence: "read-back" };
      await callShop(ref.orderId, { method: "POST", body: JSON.stringify({ paymentId }) });
      return { outcome: "recorded", evidence: "acknowledged" };
    },
    holdForReview: async () => {},
    shopperUrl: async ({ orderId }) => `https://shop.example/orders/${orderId}`,
  };
}

function createOrder(orderId: string): Order {
  return {
    ref: { storeId: "boutique", orderId },
    attempt: "",
    total: money(ORDER_AMOUNT, "XOF"),
    title: `Order ${orderId}`,
    environment: "test",
    language: "fr",
    payable: true,
    paidBy: null,
  };
}

function send(message: ProcessMessage): void {
  process.send?.(message);
}
