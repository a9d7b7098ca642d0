import { createServer, type Server } from "node:http";
import {
  type Log,
  type LogFields,
  money,
  type Order,
  type PaymentLedger,
  runDue,
  type StoreAdapter,
} from "@tillkit/core";
import type { Delivery } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { openLedger } from "@tillkit/ledger";
import { createCheckoutServer } from "@tillkit/server";
import { startExternalServices } from "../flood/external-services.ts";
import type { KnownPayment } from "./bodies.ts";
import { ENDPOINTS } from "./secrets.ts";

/** A merchant's server with its external systems. The proof replaces it after `REQUESTS_PER_SERVER` requests. */
export type Receiver = {
  readonly server: Server;
  readonly known: readonly [KnownPayment, ...KnownPayment[]];
  readonly ledger: PaymentLedger;
  /** The log lines with their level. */
  readonly lines: string[];
  /** While true, the ledger cannot store deliveries. */
  diskFull: boolean;
  /** Runs all due jobs. */
  runAllDue(): Promise<void>;
  close(): Promise<void>;
};

const ORDERS_PER_STORE = 4;
const MAX_ROUNDS = 10_000;

export async function openReceiver(database: "memory" | "sqlite"): Promise<Receiver> {
  const externalServices = await startExternalServices();
  const storage = database === "memory" ? createMemoryLedger() : await openLedger("sqlite::memory:");
  const lines: string[] = [];
  const ledger: PaymentLedger = {
    ...storage,
    receive: (rows: readonly Delivery[]) =>
      receiver.diskFull ? Promise.reject(new Error("The disk is full.")) : storage.receive(rows),
  };
  const names = Object.keys(ENDPOINTS);
  const checkout = createCheckoutServer({
    publicUrl: "https://shop.example",
    keys: ["a made-up signing key for the arbitrary-bytes proof"],
    ledger,
    stores: Object.fromEntries(names.map((name) => [name, smallStore()])),
    credentials: Object.entries(ENDPOINTS).map(([endpointId, webhookSecrets], index) => ({
      storeIds: [endpointId],
      apiKey: `svc_sk_test_0123456789abcdefghijklmnopqrst${index}`,
      baseUrl: `${externalServices.url}/v1`,
      endpointId,
      webhookSecrets,
    })),
    log: logTo(lines),
  });
  for (const storeId of names) {
    for (let order = 0; order < ORDERS_PER_STORE; order += 1)
      await checkout.startCheckout(orderOf(storeId, `order-${order}`));
  }
  const [first, ...others] = externalServices.sessions.map(({ id, reference }) => ({ sessionId: id, reference }));
  if (!first) throw new Error("No payment was started.");
  const server = createServer(checkout.listener((_, response) => response.writeHead(404).end()));
  // A busy machine may leave a connection idle for long.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const receiver: Receiver = {
    server,
    known: [first, ...others],
    ledger,
    lines,
    diskFull: false,
    async runAllDue() {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const { done, retried, dead } = await runDue(checkout.engine);
        if (done + retried + dead === 0) return;
      }
      throw new Error("The due jobs never end.");
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await checkout.close();
      await storage.close();
      await externalServices.close();
    },
  };
  return receiver;
}

function logTo(lines: string[]): Log {
  const logAt = (level: string) => (message: string, fields?: LogFields) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  };
  return { info: logAt("info"), warn: logAt("warn"), error: logAt("error") };
}

function smallStore(): StoreAdapter {
  const paid = new Map<string, string>();
  return {
    platform: "small",
    writes: { kind: "conditional" },
    async findOrder({ storeId, orderId }) {
      const paidBy = paid.get(orderId) ?? null;
      return { ...orderOf(storeId, orderId), paidBy, payable: paidBy === null };
    },
    async markPaid({ ref, paymentId }) {
      paid.set(ref.orderId, paymentId);
      return { outcome: "recorded", evidence: "read-back" };
    },
    holdForReview: async () => {},
    shopperUrl: async ({ orderId }) => `https://shop.example/orders/${orderId}`,
  };
}

function orderOf(storeId: string, orderId: string): Order {
  return {
    ref: { storeId, orderId },
    attempt: "",
    total: money(25_000, "XOF"),
    title: `Order ${orderId}`,
    environment: "test",
    language: "fr",
    payable: true,
    paidBy: null,
  };
}
