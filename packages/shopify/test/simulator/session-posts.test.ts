import { createServiceClient } from "@tillkit/client";
import { expect, test } from "vitest";
import { HOUR, MINUTE, openFixture, TOTAL } from "./fixture.ts";

test("a shop with the app and a key can take payments", async () => {
  const { shop } = await openFixture();
  expect(shop.gateway.ready).toBe(true);
  expect(shop.installedWith()?.split(",").sort()).toEqual(["write_payment_gateways", "write_payment_sessions"]);
});

test("a session that is posted fifty times at once is one payment with one answer", async () => {
  const { shop, ledger, open } = await openFixture();
  const session = shop.openCheckout({ total: TOTAL });
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.postPayment(session)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 200, redirectUrl: expect.stringContaining("/pay/") });
  // Fifty browsers open the redirect URL, and the service creates one session.
  await Promise.all(Array.from({ length: 50 }, () => open(session.redirectUrl ?? "")));
  const payments = await ledger.paymentsOfOrder({ storeId: shop.domain, orderId: session.group });
  expect(payments).toHaveLength(1);
});

test.each([
  ["answers 503", { status: 503 as const, times: 1_000 }],
  ["breaks connections", { reset: true as const, times: 1_000 }],
  ["takes twenty seconds", { delayMs: 20_000, times: 1_000 }],
])("a payment session is answered without the service, which %s", async (_fault, fault) => {
  const { shop, sandbox } = await openFixture();
  for (const method of ["GET", "POST"] as const) {
    await sandbox.control.addFault({ ...fault, method, path: "/checkout-sessions" });
  }
  const faults = sandbox.control.listFaults();
  const { answer } = await shop.startPayment({ total: TOTAL });
  expect(answer.status).toBe(200);
  // No call to the service has met a fault, so the answer did not wait for the service.
  expect(sandbox.control.listFaults()).toEqual(faults);
});

test("a redirect URL that is opened again after two hours leads to a session that can be paid", async () => {
  const { shop, advanceTime, visit, pay, until, payment } = await openFixture();
  const { session } = await shop.startPayment({ total: TOTAL });
  const first = await visit(session);
  await advanceTime(2 * HOUR);
  const second = await visit(session);
  expect(second.session?.id).not.toBe(first.session?.id);
  expect(second.session?.expiresAt).toBeGreaterThan(first.session?.expiresAt ?? 0);
  await pay(second);
  await until(async () => (await payment(session)).state === "recorded");
  expect(shop.record.effectsOf("resolved")).toMatchObject([{ id: session.gid }]);
});

test("a redirect URL that is first opened after two hours leads to the hosted page", async () => {
  const { shop, advanceTime, visit } = await openFixture();
  const { session } = await shop.startPayment({ total: TOTAL });
  await advanceTime(2 * HOUR);
  expect((await visit(session)).state).toBe("open");
});

test("a redirect URL that is opened while the service is down shows a page and works afterwards", async () => {
  const { shop, sandbox, open, visit, advanceTime } = await openFixture();
  const { session } = await shop.startPayment({ total: TOTAL });
  await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", reset: true, times: 1_000 });
  const opening = open(session.redirectUrl ?? "");
  await advanceTime(MINUTE);
  expect((await opening).status).toBe(503);
  await sandbox.control.clearFaults();
  await advanceTime(2 * MINUTE);
  expect((await visit(session)).state).toBe("open");
});

test("the shopper's language and the id of Shopify's session reach the hosted page", async () => {
  const { shop, visit } = await openFixture();
  const { session } = await shop.startPayment({ total: TOTAL, locale: "en-GB" });
  const { request } = await visit(session);
  expect(request).toContain(session.id);
  expect(request).toContain("lang=en");
});

test("the hosted page is filled in with the customer whom Shopify posted, who is stored in one row and nowhere else", async () => {
  const { shop, ledger, visit, sandbox, log } = await openFixture();
  const { session } = await shop.startPayment({ total: TOTAL });
  const { session: opened } = await visit(session);
  const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const sent = JSON.stringify((await service.checkoutSessions.read(opened?.id ?? "")).raw);
  for (const text of ["Awa", "awa@shopper.example", "+2250700000000"]) expect(sent).toContain(text);
  const kept = await ledger.records.list({ kind: "shopify-payment-customer", limit: 100 });
  expect(kept.map(({ key }) => key)).toEqual([session.gid]);
  const kinds = ["shopify-payment", "shopify-payment-post", "shopify-group", "shopify-shop"];
  const rows = await Promise.all(kinds.map((kind) => ledger.records.list({ kind, limit: 100 })));
  const ref = { storeId: shop.domain, orderId: session.group };
  const others = [rows, await ledger.paymentsOfOrder(ref), await ledger.timeline({ ref }), log];
  expect(JSON.stringify(others)).not.toMatch(/awa@|Awa|2250700000000/);
});
