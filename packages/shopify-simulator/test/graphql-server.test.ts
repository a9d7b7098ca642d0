import { afterEach, beforeEach, expect, test } from "vitest";
import { graphql, type Json, openFixture, resolve, TOTAL, tokenOf } from "./fixture.ts";

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

const RESOLVE = "mutation($id: ID!) { paymentSessionResolve(id: $id) { userErrors { field message } } }";

async function startPayment() {
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  return session.gid;
}

test("an operation that is not valid in Shopify's schema is refused and changes nothing", async () => {
  const id = await startPayment();
  const query = "mutation($id: ID!) { paymentSessionResolve(id: $id) { paymentSession { state { code } } } }";
  const { status, body } = await graphql(fixture.shop, { query, variables: { id } });
  expect(status).toBe(200);
  expect(body.errors[0].message).toContain('Cannot query field "code" on type "PaymentSessionStates"');
  expect(fixture.shop.record.effects).toEqual([]);
});

test("two fields with the name reason and different types are refused unless they have aliases", async () => {
  const states = (rejected: string, pending: string) => `mutation($id: ID!) { paymentSessionResolve(id: $id) {
    paymentSession { state { ... on PaymentSessionStateRejected { ${rejected} } ... on PaymentSessionStatePending { ${pending} } } } } }`;
  const id = await startPayment();
  const withoutAliases = await graphql(fixture.shop, { query: states("reason", "reason"), variables: { id } });
  expect(withoutAliases.body.errors[0].message).toContain("conflict");
  const withAliases = await graphql(fixture.shop, {
    query: states("rejectedReason: reason", "pendingReason: reason"),
    variables: { id },
  });
  expect(withAliases.body.errors).toBeUndefined();
});

test("an old version is answered by the oldest supported version, and an unknown version answers 404", async () => {
  const query = "{ publicApiVersions { handle supported } }";
  const old = await graphql(fixture.shop, { query, version: "2024-01" });
  expect(old.headers.get("x-shopify-api-version")).toBe("2026-01");
  const supported = old.body.data.publicApiVersions
    .filter((version: Json) => version.supported)
    .map((version: Json) => version.handle);
  expect(supported).toEqual(["2026-01", "2026-04", "2026-07", "2026-10"]);
  expect((await graphql(fixture.shop, { query, version: "2026-02" })).status).toBe(404);
});

test("a version is no longer supported a year after its release", async () => {
  // From November 2026 to September 2027.
  await fixture.clock.advance(300 * 24 * 3_600_000);
  const { body } = await graphql(fixture.shop, {
    query: "{ publicApiVersions { handle supported } }",
    version: "2026-10",
  });
  expect(body.data.publicApiVersions.find((version: Json) => version.handle === "2026-07").supported).toBe(false);
});

test("a call without a valid token, without the scope or for an unknown shop changes nothing", async () => {
  const id = await startPayment();
  expect((await graphql(fixture.shop, { query: RESOLVE, variables: { id }, token: "shpat_wrong" })).status).toBe(401);
  const readOnlyToken = tokenOf(fixture.shop, "read_orders");
  const { body } = await graphql(fixture.shop, { query: RESOLVE, variables: { id }, token: readOnlyToken });
  expect(body.errors[0].extensions.code).toBe("ACCESS_DENIED");
  const unknownShop = await fetch(
    `${fixture.simulator.origin}/nobody.myshopify.com/payments_apps/api/2026-07/graphql.json`,
    {
      method: "POST",
    },
  );
  expect(unknownShop.status).toBe(404);
  expect(fixture.shop.record.effects).toEqual([]);
});

test("every response contains its cost, and an empty bucket throttles until it has refilled", async () => {
  await fixture.close();
  fixture = await openFixture({ limits: { "payments-apps": { maximum: 25, restoreRate: 5 } } });
  const id = await startPayment();
  const call = () => graphql(fixture.shop, { query: RESOLVE, variables: { id } });
  const first = (await call()).body.extensions.cost;
  expect(first).toMatchObject({ throttleStatus: { maximumAvailable: 25, restoreRate: 5 } });
  await call();
  const throttled = await call();
  expect(throttled.status).toBe(200);
  expect(throttled.body.errors[0].extensions.code).toBe("THROTTLED");
  expect(throttled.body.data).toBeUndefined();
  const { requestedQueryCost, throttleStatus } = throttled.body.extensions.cost;
  await fixture.clock.advance(((requestedQueryCost - throttleStatus.currentlyAvailable) / 5) * 1_000 + 1);
  expect((await call()).body.errors).toBeUndefined();
});

test("a fault before the execution changes nothing, and a reset after the execution leaves the effect", async () => {
  const id = await startPayment();
  fixture.simulator.faults.add({ on: "paymentSessionResolve", reset: true });
  await expect(graphql(fixture.shop, { query: RESOLVE, variables: { id } })).rejects.toThrow();
  expect(fixture.shop.record.effectsOf("resolved")).toEqual([]);
  fixture.simulator.faults.add({ on: "paymentSessionResolve", reset: true, when: "after" });
  await expect(graphql(fixture.shop, { query: RESOLVE, variables: { id } })).rejects.toThrow();
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(1);
  expect((await resolve(fixture.shop, id)).userErrors).toEqual([]);
  expect(fixture.shop.record.callsOf("paymentSessionResolve").map(({ outcome }) => outcome)).toEqual([
    "reset",
    "done, then reset",
    "done",
  ]);
});

test.each([401, 402, 403, 423, 429, 500, 503] as const)(
  "a fault with status %i occurs the configured number of times",
  async (status) => {
    const id = await startPayment();
    fixture.simulator.faults.add({ status, retryAfterSeconds: 7, times: 2, shop: fixture.shop.domain });
    const call = () => graphql(fixture.shop, { query: RESOLVE, variables: { id } });
    const answers = [await call(), await call(), await call()];
    expect(answers.map((answer) => answer.status)).toEqual([status, status, 200]);
    expect(answers[0]?.headers.get("retry-after")).toBe("7");
  },
);

test("a fault can be an error in a 200 response or an HTML page", async () => {
  const id = await startPayment();
  const call = () => graphql(fixture.shop, { query: RESOLVE, variables: { id } });
  for (const error of ["THROTTLED", "INTERNAL_SERVER_ERROR"] as const) {
    fixture.simulator.faults.add({ error });
    expect((await call()).body.errors[0].extensions.code).toBe(error);
  }
  fixture.simulator.faults.add({ html: true });
  expect((await call()).body).toContain("<!doctype html>");
  expect(fixture.shop.record.effects).toEqual([]);
});

test("a delayed request takes effect later, even when its caller no longer waits", async () => {
  const id = await startPayment();
  fixture.simulator.faults.add({ delayMs: 60_000 });
  const answer = graphql(fixture.shop, { query: RESOLVE, variables: { id } });
  await expect.poll(() => fixture.clock.nextWakeAt()).not.toBeNull();
  expect(fixture.shop.record.effects).toEqual([]);
  await fixture.clock.advance(60_000);
  expect((await answer).status).toBe(200);
  expect(fixture.shop.record.effectsOf("resolved")).toHaveLength(1);
});
