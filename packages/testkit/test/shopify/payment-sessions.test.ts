import { money } from "@tillkit/core";
import { brokenShopPromises } from "@tillkit/testkit/shopify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { graphql, openWorld, pending, reject, resolve, TOTAL } from "./world.ts";

const HOUR = 3_600_000;
const REFUSED =
  "Payment session has already been resolved with a different authentication, has already been rejected, or the response to start_payment_session request has not been received.";

let world: Awaited<ReturnType<typeof openWorld>>;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

test("a payment that was answered is resolved, and the shop says where the shopper goes", async () => {
  const { shop } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  const said = await resolve(shop, session.gid);
  expect(said.userErrors).toEqual([]);
  expect(said.paymentSession.state.__typename).toBe("PaymentSessionStateResolved");
  expect(said.paymentSession.nextAction.context.redirectUrl).toBe(`${shop.origin}/checkouts/${session.id}/thank_you`);
  expect(shop.record.of("resolved")).toMatchObject([{ id: session.gid, of: session.group, amount: TOTAL }]);
});

test("the same resolve again has the same answer and no second effect", async () => {
  const { shop } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  const first = await resolve(shop, session.gid);
  expect(await resolve(shop, session.gid)).toEqual(first);
  expect(shop.record.of("resolved")).toHaveLength(1);
  expect(shop.record.callsOf("paymentSessionResolve")).toHaveLength(2);
});

test("a resolve before the app's answer was read is refused in Shopify's own words, without a code", async () => {
  const { shop } = world;
  const session = shop.propose({ total: TOTAL });
  await shop.postPayment(session, { loseAnswer: true });
  expect(await resolve(shop, session.gid)).toEqual({
    paymentSession: null,
    userErrors: [{ field: ["id"], message: REFUSED }],
  });
  await shop.postPayment(session);
  expect((await resolve(shop, session.gid)).userErrors).toEqual([]);
});

test("after a reject no resolve is taken, and another reject is answered as the first", async () => {
  const { shop } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  const first = await reject(shop, session.gid, "RISKY");
  expect(await reject(shop, session.gid, "PROCESSING_ERROR")).toEqual(first);
  expect((await resolve(shop, session.gid)).userErrors[0].message).toBe(REFUSED);
  expect(shop.sessions.checkouts.get(session.group)).toMatchObject({ status: "refused", refusal: "RISKY" });
});

test("a pending payment makes the order wait, and may be resolved until its time is over", async () => {
  const { shop, clock } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  const said = await pending(shop, session.gid, clock.now() + HOUR);
  expect(said.paymentSession.state.__typename).toBe("PaymentSessionStatePending");
  expect(shop.sessions.checkouts.get(session.group)?.status).toBe("pending");
  await clock.advance(HOUR);
  expect((await resolve(shop, session.gid)).userErrors[0].message).toBe(REFUSED);
  expect(shop.record.of("resolved")).toEqual([]);
});

test("pending says by a code why it is refused", async () => {
  const { shop, clock } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  const codeOf = async (id: string, until: number) => (await pending(shop, id, until)).userErrors[0]?.code;
  expect(await codeOf(session.gid, clock.now() - 1)).toBe("EXPIRED_PENDING_EXPIRES_AT");
  expect(await codeOf(session.gid, clock.now() + 365 * 24 * HOUR)).toBe("OUT_OF_RANGE_PENDING_EXPIRES_AT");
  expect(await codeOf("gid://shopify/PaymentSession/nobody", clock.now() + HOUR)).toBe("NOT_FOUND");
  await resolve(shop, session.gid);
  expect(await codeOf(session.gid, clock.now() + HOUR)).toBe("PENDING_INVALID_STATE");
});

test("two tabs of one checkout share its group; an app that resolves both has broken its promise", async () => {
  const { shop } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  const tab = await shop.openTab(session.group);
  expect(tab.session.group).toBe(session.group);
  await resolve(shop, session.gid);
  expect(brokenShopPromises(shop.record)).toEqual([]);
  await resolve(shop, tab.session.gid);
  expect(brokenShopPromises(shop.record)).toEqual([`The checkout ${session.group} was resolved 2 times.`]);
});

test("once the shopper changed the cart, the older payment cannot be resolved any more", async () => {
  const { shop } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  const changed = await shop.changeCart(session.group, money(9_000, "XOF"));
  expect((await resolve(shop, session.gid)).userErrors).toHaveLength(1);
  expect((await resolve(shop, changed.session.gid)).userErrors).toEqual([]);
});

test("the address of the first answer is kept for a checkout that is opened again", async () => {
  const { shop } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  expect(session.redirectUrl).toBe("https://app.example/pay/payment");
  const page = await (await fetch(`${shop.origin}/checkouts/${session.id}`)).text();
  expect(page).toContain('href="https://app.example/pay/payment"');
});

test("a refund is resolved once; after that it is not rejected any more", async () => {
  const { shop } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  await resolve(shop, session.gid);
  const refund = await shop.requestRefund(session, money(5_000, "XOF"));
  const settle = async (field: string, more = "") =>
    (
      await graphql(shop, {
        query: `mutation($id: ID!) { ${field}(id: $id${more}) { refundSession { id } userErrors { code field message } } }`,
        variables: { id: refund.session.gid },
      })
    ).body.data[field];
  expect((await settle("refundSessionResolve")).userErrors).toEqual([]);
  expect((await settle("refundSessionResolve")).userErrors).toEqual([]);
  expect((await settle("refundSessionReject", ", reason: { code: PROCESSING_ERROR }")).userErrors[0].code).toBe(
    "REFUND_SESSION_INVALID_STATE",
  );
  expect(shop.record.of("refunded")).toMatchObject([{ of: session.gid, amount: money(5_000, "XOF") }]);
});

test("more given back than was paid is a broken promise", async () => {
  const { shop } = world;
  const { session } = await shop.startPayment({ total: TOTAL });
  await resolve(shop, session.gid);
  for (const part of [8_000, 8_000]) {
    const { session: refund } = await shop.requestRefund(session, money(part, "XOF"));
    const query = "mutation($id: ID!) { refundSessionResolve(id: $id) { userErrors { code } } }";
    await graphql(shop, { query, variables: { id: refund.gid } });
  }
  expect(brokenShopPromises(shop.record)).toEqual([`The payment ${session.gid} of 12500 was refunded 16000.`]);
});

test("captures and voids are asked for and answered", async () => {
  const { shop, heard } = world;
  const { session } = await shop.startPayment({ total: TOTAL, kind: "authorization" });
  const capture = await shop.requestCapture(session, TOTAL);
  const release = await shop.requestVoid(session);
  expect(JSON.parse(heard.at(-1)?.body ?? "")).not.toHaveProperty("amount");
  const query = `mutation($capture: ID!, $void: ID!) {
    captureSessionReject(id: $capture, reason: { code: PROCESSING_ERROR, merchantMessage: "no" }) { captureSession { id } userErrors { code } }
    voidSessionReject(id: $void, reason: { code: PROCESSING_ERROR }) { voidSession { id } userErrors { code } } }`;
  const variables = { capture: capture.session.gid, void: release.session.gid };
  const { data } = (await graphql(shop, { query, variables })).body;
  expect([data.captureSessionReject.userErrors, data.voidSessionReject.userErrors]).toEqual([[], []]);
  expect(shop.record.of("capture-rejected")).toHaveLength(1);
  expect(shop.record.of("void-rejected")).toHaveLength(1);
});

test("the gateway is ready when the app says so", async () => {
  const { shop } = world;
  const query = `mutation { paymentsAppConfigure(externalHandle: "Chez Adjoua", ready: true) {
    paymentsAppConfiguration { externalHandle ready } userErrors { field message } } }`;
  await graphql(shop, { query });
  expect(shop.gateway).toEqual({ ready: true, externalHandle: "Chez Adjoua" });
});
