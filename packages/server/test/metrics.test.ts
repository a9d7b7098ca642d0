import { signWebhook } from "@tillkit/client/webhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  loggedSecrets,
  type MerchantFixture,
  openCircuitBreaker,
  openMerchant,
  WEBHOOK_SECRET,
} from "./fixtures/merchant.ts";
import { shopOrder } from "./fixtures/small-shop.ts";

const TOKEN = "the token of this scraper, long enough";

let merchant: MerchantFixture;
beforeEach(async () => {
  merchant = await openMerchant({ options: { metrics: { token: TOKEN } } });
});
afterEach(() => merchant.close());
afterEach(() => expect(loggedSecrets(merchant)).toEqual([]));

const scrape = () => merchant.get("/metrics", { headers: { authorization: `Bearer ${TOKEN}` } });

async function readMetric(name: string): Promise<number> {
  const text = await (await scrape()).text();
  const line = text.split("\n").find((sample) => sample.startsWith(`${name} `));
  if (!line) throw new Error(`There is no ${name} in\n${text}`);
  return Number(line.slice(name.length));
}

describe("/metrics", () => {
  test.each([undefined, "Bearer", "Bearer wrong", `Basic ${TOKEN}`, TOKEN])(
    "a request with the authorization %s gets no metrics",
    async (authorization) => {
      const answer = await merchant.get("/metrics", authorization ? { headers: { authorization } } : {});
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain("tillkit_");
    },
  );

  test("there is no metrics route without a token in the configuration", async () => {
    await merchant.close();
    merchant = await openMerchant();
    expect((await scrape()).status).toBe(404);
  });

  test("the metrics count a payment from its session to the shop", async () => {
    const { returnPath } = await merchant.startPayment();
    expect(await readMetric('tillkit_payments{state="open"}')).toBe(1);
    merchant.service.newest().status = "completed";
    await merchant.get(returnPath);
    expect(await readMetric('tillkit_payments{state="recorded"}')).toBe(1);
    expect(await readMetric('tillkit_payments{state="open"}')).toBe(0);
    expect(await readMetric('tillkit_store_writes_total{store="boutique",outcome="recorded"}')).toBe(1);
    expect(await readMetric('tillkit_service_call_seconds_count{operation="CheckoutSessionsController_create"}')).toBe(
      1,
    );
    expect(await readMetric('tillkit_http_requests_total{route="return",status="303"}')).toBe(1);
    expect(await readMetric("tillkit_ledger_up")).toBe(1);
  });

  test("the metrics count open and decided disputes", async () => {
    const at = merchant.clock.now();
    const claim = { paymentId: "p1", transactionId: null, amount: null, reason: "", evidenceDueBy: null };
    const dispute = { ...claim, outcome: null, openedAt: at, updatedAt: at } as const;
    await merchant.ledger.commit({
      disputes: [
        { ...dispute, id: "d1", status: "pending" },
        { ...dispute, id: "d2", status: "closed" },
      ],
      timeline: [],
    });
    expect(await readMetric('tillkit_disputes{status="open"}')).toBe(1);
    expect(await readMetric('tillkit_disputes{status="over"}')).toBe(1);
  });

  test("the metrics count failed calls to the service and failed writes to a shop", async () => {
    const { returnPath } = await merchant.startPayment();
    merchant.service.failure = { status: 403, code: "forbidden" };
    await merchant.get(returnPath);
    const failure =
      'tillkit_service_call_errors_total{operation="CheckoutSessionsController_findOne",code="forbidden"}';
    expect(await readMetric(failure)).toBe(1);
    merchant.service.failure = null;
    merchant.service.newest().status = "completed";
    const markPaid = merchant.shop.adapter.markPaid;
    merchant.shop.adapter.markPaid = async () => Promise.reject(new Error("cut off"));
    await merchant.clock.advance(4_000);
    await merchant.get(returnPath);
    merchant.shop.adapter.markPaid = markPaid;
    expect(await readMetric('tillkit_store_writes_total{store="boutique",outcome="unknown"}')).toBe(1);
  });

  test("the metrics measure how fast webhooks are answered", async () => {
    const body = Buffer.from(JSON.stringify({ id: "evt_1", event: "PAYMENT_SUCCEEDED", data: {} }));
    const headers = { "X-Service-Signature": signWebhook(body, WEBHOOK_SECRET) };
    await merchant.get("/hooks/service/boutique-test", { method: "POST", body, headers });
    await merchant.get("/hooks/service/boutique-test", { method: "POST", body });
    await expect.poll(() => readMetric('tillkit_webhook_ack_seconds_count{status="200"}')).toBe(1);
    expect(await readMetric('tillkit_webhook_ack_seconds_count{status="401"}')).toBe(1);
    expect(await readMetric('tillkit_deliveries{outcome="waiting"}')).toBe(1);
    expect(await readMetric('tillkit_jobs{status="due"}')).toBe(1);
  });

  test("the metrics show open circuit breakers, and whether the ledger is down", async () => {
    openCircuitBreaker(merchant, "store:boutique");
    expect(await readMetric('tillkit_breaker_open{target="store:boutique"}')).toBe(1);
    merchant.ledger.countPayments = () => Promise.reject(new Error("disk full"));
    expect(await readMetric("tillkit_ledger_up")).toBe(0);
  });
});

describe("/readyz", () => {
  const readReadiness = async () => {
    const answer = await merchant.get("/readyz");
    return { status: answer.status, ...((await answer.json()) as object) };
  };

  test("a process is ready once the ledger answers, also when it only receives webhooks", async () => {
    expect(await readReadiness()).toEqual({ status: 200, ready: true, ledger: "ready", timer: "off", lagMs: 0 });
    merchant.checkout.startTimer();
    await merchant.clock.advance(5_000);
    expect(await readReadiness()).toMatchObject({ status: 200, timer: "alive" });
  });

  test("a key that the service refuses is named until the service accepts it, with what to do", async () => {
    await merchant.startPayment();
    merchant.service.failure = { status: 401, code: "unauthorized" };
    await merchant.checkout
      .startCheckout({ ...shopOrder, ref: { storeId: "boutique", orderId: "2" } })
      .catch(() => null);
    expect(await readReadiness()).toMatchObject({
      ready: true,
      warnings: [
        {
          code: "key_refused",
          message: expect.stringMatching(
            /refuses the API key of the credential key_\w+: it was revoked.*Put a valid key/,
          ),
        },
      ],
    });
    merchant.service.failure = null;
    await merchant.checkout.startCheckout({ ...shopOrder, ref: { storeId: "boutique", orderId: "3" } });
    expect(await readReadiness()).not.toHaveProperty("warnings");
  });

  test("a process is not ready when the ledger fails or its tables are of another version", async () => {
    merchant.ledger.listDeliveries = () => Promise.reject(new Error("no such column: outcome"));
    expect(await readReadiness()).toMatchObject({ status: 503, ready: false, ledger: "tables_differ" });
    merchant.ledger.nextDueAt = () => Promise.reject(new Error("disk full"));
    expect(await readReadiness()).toMatchObject({ status: 503, ledger: "unreachable", lagMs: null });
  });

  test("a process is not ready while a job has been due for more than ten minutes", async () => {
    merchant.checkout.startTimer();
    await merchant.clock.advance(1_000);
    const due = merchant.clock.now() - 11 * 60_000;
    merchant.ledger.nextDueAt = async () => due;
    expect(await readReadiness()).toMatchObject({ status: 503, timer: "alive", lagMs: 11 * 60_000 });
  });

  test("a process is not ready after its timer was stopped", async () => {
    merchant.checkout.startTimer();
    await merchant.checkout.close();
    expect(await readReadiness()).toMatchObject({ status: 503, timer: "stuck" });
  });
});
