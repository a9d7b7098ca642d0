import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { createNodeTransport } from "@tillkit/client";
import { type Clock, limits, type Receipt } from "@tillkit/core";
import { createCertificateAuthority } from "@tillkit/testkit/shopify";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import { createWooStore, type WriteOrdersBy } from "../src/store/woo-store.ts";
import { LINK_SECRET } from "./adapter-fixture.ts";

const TOTAL = { minor: 5_000, currency: "XOF" } as const;
const RECEIPT: Receipt = {
  ref: { storeId: "boutique", orderId: "7" },
  paymentId: "4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11",
  attempt: "",
  sessionId: "cs_01",
  transactionId: "tx_01",
  paid: TOTAL,
  total: TOTAL,
  environment: "test",
  fence: 1,
};

describe("a worker whose machine sleeps in the TLS handshake of a write", () => {
  it.each<[WriteOrdersBy, string]>([
    ["rest", "PUT /wp-json/wc/v3/orders/7"],
    ["plugin", "POST /wp-json/tillkit/v1/mark-paid"],
  ])("sends nothing when it wakes up after the time limit of its call (%s)", async (writeOrdersBy, write) => {
    const shop = await openShop(writeOrdersBy);
    shop.sleepBeforeWrite(() => shop.clock.moveWall(limits.storeCallMs));
    await expect(shop.adapter.markPaid(RECEIPT)).rejects.toMatchObject({ code: "unavailable" });
    expect(shop.requests).not.toContain(write);
  });

  it("sends nothing either when its wall clock was set back meanwhile", async () => {
    const shop = await openShop("rest");
    shop.sleepBeforeWrite(() => {
      shop.clock.moveWall(-3_600_000);
      shop.clock.moveMonotonic(limits.storeCallMs);
    });
    await expect(shop.adapter.markPaid(RECEIPT)).rejects.toMatchObject({ code: "unavailable" });
    expect(shop.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
  });

  it("sends its write when it wakes up in time", async () => {
    const shop = await openShop("rest");
    shop.sleepBeforeWrite(() => shop.clock.moveWall(limits.storeCallMs - 1));
    expect(await shop.adapter.markPaid(RECEIPT)).toMatchObject({ outcome: "recorded" });
  });
});

/** A shop over TLS with one unpaid order, and a worker whose clocks a test moves. Its timers stand still, as in a suspended machine. */
async function openShop(writeOrdersBy: WriteOrdersBy) {
  const clock = movableClock();
  const requests: string[] = [];
  let sleep: (() => void) | null = null;
  let isPaid = false;
  const authority = createCertificateAuthority("An authority of the tests");
  const server = createServer(authority.issue("shop", ["127.0.0.1"]), (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    isPaid ||= request.method === "PUT";
    const body = JSON.stringify(request.url?.includes("/notes") ? [] : order(isPaid));
    request.resume().on("end", () => response.writeHead(200, { "Content-Type": "application/json" }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const relay = createTcpServer({ pauseOnConnect: true }, (socket) => {
    // The first request reads the order, and the write follows it.
    if (requests.length === 1) sleep?.();
    const inner = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => socket.destroy());
    socket.on("error", () => inner.destroy());
    socket.pipe(inner).pipe(socket);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    relay.close();
    server.close();
    server.closeAllConnections();
  });
  const store = createWooStore({
    storeId: "boutique",
    url: `https://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    consumerKey: "ck_of_the_tests",
    consumerSecret: "cs_of_the_tests",
    linkSecret: LINK_SECRET,
    environment: "test",
    writeOrdersBy,
    clock,
    transport: createNodeTransport({ keepAlive: false, ca: authority.certificate }),
  });
  return {
    adapter: createWooCommerceAdapter(store),
    clock,
    requests,
    sleepBeforeWrite(run: () => void) {
      sleep = run;
    },
  };
}

function order(isPaid: boolean): object {
  return {
    id: 7,
    number: "7",
    status: isPaid ? "processing" : "pending",
    order_key: "wc_order_1",
    currency: "XOF",
    total: "5000",
    payment_method: "tillkit",
    date_paid_gmt: isPaid ? "2026-11-28T09:00:00" : null,
    transaction_id: isPaid ? "tx_01" : "",
    meta_data: isPaid ? [{ key: "_tillkit_payment_id", value: RECEIPT.paymentId }] : [],
  };
}

function movableClock() {
  let wall = Date.UTC(2026, 10, 28, 9);
  let monotonic = 1_000;
  const clock: Clock & { monotonicNow(): number } = {
    now: () => wall,
    monotonicNow: () => monotonic,
    sleep: () => new Promise(() => undefined),
  };
  return {
    ...clock,
    moveWall(ms: number) {
      wall += ms;
    },
    moveMonotonic(ms: number) {
      monotonic += ms;
    },
  };
}
