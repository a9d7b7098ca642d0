import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { createNodeTransport, type TransportRequest } from "@tillkit/client";
import { type Clock, limits, type Receipt, systemClock } from "@tillkit/core";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { createCertificateAuthority } from "@tillkit/shopify-simulator";
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
  ])("a worker sends nothing when it wakes up after the time limit of its call (%s)", async (writeOrdersBy, write) => {
    const shop = await openShop(writeOrdersBy);
    shop.sleepBeforeWrite(() => shop.clock.moveWall(limits.storeCallMs));
    await expect(shop.adapter.markPaid(RECEIPT)).rejects.toMatchObject({ code: "unavailable" });
    expect(shop.requests).not.toContain(write);
  });

  it("a worker sends nothing either when its wall clock was set back meanwhile", async () => {
    const shop = await openShop("rest");
    shop.sleepBeforeWrite(() => {
      shop.clock.moveWall(-3_600_000);
      shop.clock.moveMonotonic(limits.storeCallMs);
    });
    await expect(shop.adapter.markPaid(RECEIPT)).rejects.toMatchObject({ code: "unavailable" });
    expect(shop.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
  });

  it("a worker sends its write when it wakes up in time", async () => {
    const shop = await openShop("rest");
    shop.sleepBeforeWrite(() => shop.clock.moveWall(limits.storeCallMs - 1));
    expect(await shop.adapter.markPaid(RECEIPT)).toMatchObject({ outcome: "recorded" });
  });
});

describe("a payment of an order that is on hold, by REST", () => {
  it("a payment of an order on hold reopens it first, and no request carries a status together with set_paid", async () => {
    const { writes, fake, adapter, ref } = await openHeldOrder();
    expect(await adapter.markPaid({ ...RECEIPT, ref })).toMatchObject({ outcome: "recorded" });
    expect(writes).toEqual([{ status: "pending" }, expect.objectContaining({ set_paid: true })]);
    expect(writes.filter((write) => "status" in write && "set_paid" in write)).toEqual([]);
    expect(fake.shop.order(Number(ref.orderId))).toMatchObject({ status: "processing" });
    expect(fake.shop.stockTaken(Number(ref.orderId))).toBe(1);
  });

  it("an order stays cancelled that its owner cancels right after it was reopened", async () => {
    const { writes, fake, adapter, ref } = await openHeldOrder((write) => {
      if ("set_paid" in write) fake.shop.edit(ref.orderId, { status: "cancelled" });
    });
    expect(await adapter.markPaid({ ...RECEIPT, ref })).toMatchObject({ outcome: "not-payable" });
    expect(writes).toHaveLength(2);
    expect(fake.shop.order(Number(ref.orderId))).toMatchObject({ status: "cancelled" });
  });
});

/** A shop with one order on hold. `beforeWrite` runs before each PUT is sent. */
async function openHeldOrder(beforeWrite: (body: object) => void = () => undefined) {
  const fake = await createFakeWooCommerce();
  onTestFinished(fake.close);
  const send = createNodeTransport({ keepAlive: false });
  const writes: object[] = [];
  const options = {
    ...fake,
    storeId: "boutique",
    linkSecret: LINK_SECRET,
    environment: "test",
    writeOrdersBy: "rest",
    clock: systemClock,
    async transport(request: TransportRequest) {
      if (request.method === "PUT") {
        const body = JSON.parse(Buffer.from(request.body ?? []).toString());
        writes.push(body);
        beforeWrite(body);
      }
      return await send(request);
    },
  } as const;
  const { id } = fake.shop.placeOrder({ total: "5000", status: "on-hold" });
  const ref = { storeId: "boutique", orderId: String(id) };
  return { writes, fake, adapter: createWooCommerceAdapter(createWooStore(options)), ref };
}

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
