import { money } from "@tillkit/core";
import { findShopViolations } from "@tillkit/shopify-simulator";
import { afterEach, beforeEach, expect, test } from "vitest";
import { graphql, openFixture, pending, reject, resolve, TOTAL } from "./fixture.ts";

const HOUR = 3_600_000;
const REFUSED =
  "Payment session has already been resolved with a different authentication, has already been rejected, or the response to start_payment_session request has not been received.";

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

test("a resolved payment session returns the next URL of the shopper", async () => {
  const { shop } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  const result = await resolve(shop, session.gid);
  expect(result.userErrors).toEqual([]);
  expect(result.paymentSession.state.__typename).toBe("PaymentSessionStateResolved");
  expect(result.paymentSession.nextAction.context.redirectUrl).toBe(`${shop.origin}/checkouts/${session.id}/thank_you`);
  expect(shop.record.effectsOf("resolved")).toMatchObject([
    { id: session.gid, parentId: session.group, amount: TOTAL },
  ]);
});

test("a repeated resolve has the same answer and no second effect", async () => {
  const { shop } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  const first = await resolve(shop, session.gid);
  expect(await resolve(shop, session.gid)).toEqual(first);
  expect(shop.record.effectsOf("resolved")).toHaveLength(1);
  expect(shop.record.callsOf("paymentSessionResolve")).toHaveLength(2);
});

test("a resolve before Shopify received the app's answer is refused with Shopify's message and no code", async () => {
  const { shop } = fixture;
  const session = shop.openCheckout({ total: TOTAL });
  await shop.postPayment(session, { loseAnswer: true });
  expect(await resolve(shop, session.gid)).toEqual({
    paymentSession: null,
    userErrors: [{ field: ["id"], message: REFUSED }],
  });
  await shop.postPayment(session);
  expect((await resolve(shop, session.gid)).userErrors).toEqual([]);
});

test("a rejected session cannot be resolved, and a repeated reject has the same answer", async () => {
  const { shop } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  const first = await reject(shop, session.gid, "RISKY");
  expect(await reject(shop, session.gid, "PROCESSING_ERROR")).toEqual(first);
  expect((await resolve(shop, session.gid)).userErrors[0].message).toBe(REFUSED);
  expect(shop.sessions.checkouts.get(session.group)).toMatchObject({ status: "refused", refusal: "RISKY" });
});

test("a pending session can be resolved until it expires", async () => {
  const { shop, clock } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  const result = await pending(shop, session.gid, clock.now() + HOUR);
  expect(result.paymentSession.state.__typename).toBe("PaymentSessionStatePending");
  expect(shop.sessions.checkouts.get(session.group)?.status).toBe("pending");
  await clock.advance(HOUR);
  expect((await resolve(shop, session.gid)).userErrors[0].message).toBe(REFUSED);
  expect(shop.record.effectsOf("resolved")).toEqual([]);
});

test("a refused pending mutation has an error code", async () => {
  const { shop, clock } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  const codeOf = async (id: string, until: number) => (await pending(shop, id, until)).userErrors[0]?.code;
  expect(await codeOf(session.gid, clock.now() - 1)).toBe("EXPIRED_PENDING_EXPIRES_AT");
  expect(await codeOf(session.gid, clock.now() + 365 * 24 * HOUR)).toBe("OUT_OF_RANGE_PENDING_EXPIRES_AT");
  expect(await codeOf("gid://shopify/PaymentSession/nobody", clock.now() + HOUR)).toBe("NOT_FOUND");
  await resolve(shop, session.gid);
  expect(await codeOf(session.gid, clock.now() + HOUR)).toBe("PENDING_INVALID_STATE");
});

test("two tabs of one checkout share its group, and resolving both is a violation", async () => {
  const { shop } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  const tab = await shop.openTab(session.group);
  expect(tab.session.group).toBe(session.group);
  await resolve(shop, session.gid);
  expect(findShopViolations(shop.record)).toEqual([]);
  await resolve(shop, tab.session.gid);
  expect(findShopViolations(shop.record)).toEqual([`The checkout ${session.group} was resolved 2 times.`]);
});

test("a session cannot be resolved after the shopper changed the cart", async () => {
  const { shop } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  const changed = await shop.changeCart(session.group, money(9_000, "XOF"));
  expect((await resolve(shop, session.gid)).userErrors).toHaveLength(1);
  expect((await resolve(shop, changed.session.gid)).userErrors).toEqual([]);
});

test("the redirect URL of the first answer is used when the checkout is opened again", async () => {
  const { shop } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  expect(session.redirectUrl).toBe("https://app.example/pay/payment");
  const page = await (await fetch(`${shop.origin}/checkouts/${session.id}`)).text();
  expect(page).toContain('href="https://app.example/pay/payment"');
});

test("a refund session that was resolved twice has one effect and can no longer be rejected", async () => {
  const { shop } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  await resolve(shop, session.gid);
  const refund = await shop.requestRefund(session, money(5_000, "XOF"));
  const userErrorsOf = async (field: string, moreArguments = "") => {
    const query = `mutation($id: ID!) { ${field}(id: $id${moreArguments}) { refundSession { id } userErrors { code field message } } }`;
    return (await graphql(shop, { query, variables: { id: refund.session.gid } })).body.data[field].userErrors;
  };
  expect(await userErrorsOf("refundSessionResolve")).toEqual([]);
  expect(await userErrorsOf("refundSessionResolve")).toEqual([]);
  const rejectErrors = await userErrorsOf("refundSessionReject", ", reason: { code: PROCESSING_ERROR }");
  expect(rejectErrors[0].code).toBe("REFUND_SESSION_INVALID_STATE");
  expect(shop.record.effectsOf("refunded")).toMatchObject([{ parentId: session.gid, amount: money(5_000, "XOF") }]);
});

test("refunding more than was paid is a violation", async () => {
  const { shop } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL });
  await resolve(shop, session.gid);
  for (const minor of [8_000, 8_000]) {
    const { session: refund } = await shop.requestRefund(session, money(minor, "XOF"));
    const query = "mutation($id: ID!) { refundSessionResolve(id: $id) { userErrors { code } } }";
    await graphql(shop, { query, variables: { id: refund.gid } });
  }
  expect(findShopViolations(shop.record)).toEqual([`The payment ${session.gid} of 12500 was refunded 16000.`]);
});

test("capture and void sessions can be requested and rejected", async () => {
  const { shop, received } = fixture;
  const { session } = await shop.startPayment({ total: TOTAL, kind: "authorization" });
  const capture = await shop.requestCapture(session, TOTAL);
  const voidRequest = await shop.requestVoid(session);
  expect(JSON.parse(received.at(-1)?.body ?? "")).not.toHaveProperty("amount");
  const query = `mutation($capture: ID!, $void: ID!) {
    captureSessionReject(id: $capture, reason: { code: PROCESSING_ERROR, merchantMessage: "no" }) { captureSession { id } userErrors { code } }
    voidSessionReject(id: $void, reason: { code: PROCESSING_ERROR }) { voidSession { id } userErrors { code } } }`;
  const variables = { capture: capture.session.gid, void: voidRequest.session.gid };
  const { data } = (await graphql(shop, { query, variables })).body;
  expect([data.captureSessionReject.userErrors, data.voidSessionReject.userErrors]).toEqual([[], []]);
  expect(shop.record.effectsOf("capture-rejected")).toHaveLength(1);
  expect(shop.record.effectsOf("void-rejected")).toHaveLength(1);
});

test("the gateway is ready after the app configured it", async () => {
  const { shop } = fixture;
  const query = `mutation { paymentsAppConfigure(externalHandle: "Chez Adjoua", ready: true) {
    paymentsAppConfiguration { externalHandle ready } userErrors { field message } } }`;
  await graphql(shop, { query });
  expect(shop.gateway).toEqual({ ready: true, externalHandle: "Chez Adjoua" });
});
