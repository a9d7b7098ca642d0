import { afterEach, beforeEach, expect, test } from "vitest";
import { graphql, type Json, openWorld, resolve, TOTAL, tokenOf } from "./world.ts";

let world: Awaited<ReturnType<typeof openWorld>>;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const RESOLVE = "mutation($id: ID!) { paymentSessionResolve(id: $id) { userErrors { field message } } }";

async function posted() {
  const { session } = await world.shop.startPayment({ total: TOTAL });
  return session.gid;
}

test("what the real schema does not know is refused, and changes nothing", async () => {
  const id = await posted();
  const query = "mutation($id: ID!) { paymentSessionResolve(id: $id) { paymentSession { state { code } } } }";
  const { status, body } = await graphql(world.shop, { query, variables: { id } });
  expect(status).toBe(200);
  expect(body.errors[0].message).toContain('Cannot query field "code" on type "PaymentSessionStates"');
  expect(world.shop.record.effects).toEqual([]);
});

test("a conflict of two reasons in one selection is refused, and an alias is not", async () => {
  const states = (rejected: string, waiting: string) => `mutation($id: ID!) { paymentSessionResolve(id: $id) {
    paymentSession { state { ... on PaymentSessionStateRejected { ${rejected} } ... on PaymentSessionStatePending { ${waiting} } } } } }`;
  const id = await posted();
  const bad = await graphql(world.shop, { query: states("reason", "reason"), variables: { id } });
  expect(bad.body.errors[0].message).toContain("conflict");
  const good = await graphql(world.shop, {
    query: states("rejectedReason: reason", "pendingReason: reason"),
    variables: { id },
  });
  expect(good.body.errors).toBeUndefined();
});

test("a version that is gone is answered by the oldest that is supported; nonsense has no API", async () => {
  const query = "{ publicApiVersions { handle supported } }";
  const old = await graphql(world.shop, { query, version: "2024-01" });
  expect(old.headers.get("x-shopify-api-version")).toBe("2026-01");
  const supported = old.body.data.publicApiVersions
    .filter((each: Json) => each.supported)
    .map((each: Json) => each.handle);
  expect(supported).toEqual(["2026-01", "2026-04", "2026-07", "2026-10"]);
  expect((await graphql(world.shop, { query, version: "2026-02" })).status).toBe(404);
});

test("a version's year ends with the clock", async () => {
  await world.clock.advance(300 * 24 * 3_600_000);
  const { body } = await graphql(world.shop, {
    query: "{ publicApiVersions { handle supported } }",
    version: "2026-10",
  });
  expect(body.data.publicApiVersions.find((each: Json) => each.handle === "2026-07").supported).toBe(false);
});

test("without a good token, without the scope, and in a shop that is not there nothing is done", async () => {
  const id = await posted();
  expect((await graphql(world.shop, { query: RESOLVE, variables: { id }, token: "shpat_wrong" })).status).toBe(401);
  const narrow = tokenOf(world.shop, "read_orders");
  const { body } = await graphql(world.shop, { query: RESOLVE, variables: { id }, token: narrow });
  expect(body.errors[0].extensions.code).toBe("ACCESS_DENIED");
  const nowhere = await fetch(`${world.simulator.origin}/nobody.myshopify.com/payments_apps/api/2026-07/graphql.json`, {
    method: "POST",
  });
  expect(nowhere.status).toBe(404);
  expect(world.shop.record.effects).toEqual([]);
});

test("every answer tells its cost, and a bucket that is empty throttles until it is full again", async () => {
  await world.close();
  world = await openWorld({ limits: { "payments-apps": { maximum: 25, restoreRate: 5 } } });
  const id = await posted();
  const call = () => graphql(world.shop, { query: RESOLVE, variables: { id } });
  const first = (await call()).body.extensions.cost;
  expect(first).toMatchObject({ throttleStatus: { maximumAvailable: 25, restoreRate: 5 } });
  await call();
  const throttled = await call();
  expect(throttled.status).toBe(200);
  expect(throttled.body.errors[0].extensions.code).toBe("THROTTLED");
  expect(throttled.body.data).toBeUndefined();
  const { requestedQueryCost, throttleStatus } = throttled.body.extensions.cost;
  await world.clock.advance(((requestedQueryCost - throttleStatus.currentlyAvailable) / 5) * 1_000 + 1);
  expect((await call()).body.errors).toBeUndefined();
});

test("a fault before the commit changes nothing; a reset after it has changed everything but the caller's mind", async () => {
  const id = await posted();
  world.simulator.faults.add({ on: "paymentSessionResolve", reset: true });
  await expect(graphql(world.shop, { query: RESOLVE, variables: { id } })).rejects.toThrow();
  expect(world.shop.record.of("resolved")).toEqual([]);
  world.simulator.faults.add({ on: "paymentSessionResolve", reset: true, when: "after" });
  await expect(graphql(world.shop, { query: RESOLVE, variables: { id } })).rejects.toThrow();
  expect(world.shop.record.of("resolved")).toHaveLength(1);
  expect((await resolve(world.shop, id)).userErrors).toEqual([]);
  expect(world.shop.record.callsOf("paymentSessionResolve").map(({ outcome }) => outcome)).toEqual([
    "reset",
    "done, then reset",
    "done",
  ]);
});

test.each([401, 402, 403, 423, 429, 500, 503] as const)("a shop answers %i as often as it was told", async (status) => {
  const id = await posted();
  world.simulator.faults.add({ status, retryAfterSeconds: 7, times: 2, shop: world.shop.domain });
  const call = () => graphql(world.shop, { query: RESOLVE, variables: { id } });
  const answers = [await call(), await call(), await call()];
  expect(answers.map((answer) => answer.status)).toEqual([status, status, 200]);
  expect(answers[0]?.headers.get("retry-after")).toBe("7");
});

test("errors in an answer of 200, and pages that are no JSON", async () => {
  const id = await posted();
  const call = () => graphql(world.shop, { query: RESOLVE, variables: { id } });
  for (const error of ["THROTTLED", "INTERNAL_SERVER_ERROR"] as const) {
    world.simulator.faults.add({ error });
    expect((await call()).body.errors[0].extensions.code).toBe(error);
  }
  world.simulator.faults.add({ html: true });
  expect((await call()).body).toContain("<!doctype html>");
  expect(world.shop.record.effects).toEqual([]);
});

test("a request under way lands late, whether or not its caller waits", async () => {
  const id = await posted();
  world.simulator.faults.add({ delayMs: 60_000 });
  const answer = graphql(world.shop, { query: RESOLVE, variables: { id } });
  await expect.poll(() => world.clock.nextWakeAt()).not.toBeNull();
  expect(world.shop.record.effects).toEqual([]);
  await world.clock.advance(60_000);
  expect((await answer).status).toBe(200);
  expect(world.shop.record.of("resolved")).toHaveLength(1);
});
