import { afterEach, beforeEach, expect, test } from "vitest";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";

let merchant: MerchantFixture;
beforeEach(async () => {
  merchant = await openMerchant();
});
afterEach(() => merchant.close());

test("a new server is healthy and has no due job", async () => {
  const answer = await merchant.get("/healthz");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({
    ok: true,
    ledger: "reachable",
    timer: { running: false, lagMs: 0 },
  });
});

test("a due job that no process runs is reported as lag", async () => {
  await merchant.ledger.commit({
    jobs: [{ kind: "note", storeId: "boutique", paymentId: null, payload: "", dueAt: merchant.clock.now() + 1_000 }],
    timeline: [],
  });
  await merchant.clock.advance(61_000);
  expect(await (await merchant.get("/healthz")).json()).toMatchObject({ timer: { lagMs: 60_000 } });
});

test("the health report shows a running timer", async () => {
  merchant.checkout.startTimer();
  expect(await (await merchant.get("/healthz")).json()).toMatchObject({ timer: { running: true } });
  await merchant.checkout.close();
  expect(await (await merchant.get("/healthz")).json()).toMatchObject({ timer: { running: false } });
});

test("a ledger that fails or does not answer within two seconds makes the health check fail", async () => {
  const unhealthy = { ok: false, ledger: "unreachable", timer: { running: false, lagMs: null } };
  merchant.ledger.nextDueAt = () => Promise.reject(new Error("disk full"));
  const failing = await merchant.get("/healthz");
  expect(failing.status).toBe(503);
  expect(await failing.json()).toEqual(unhealthy);

  merchant.ledger.nextDueAt = () => new Promise(() => undefined);
  const pending = merchant.get("/healthz");
  // The manual clock has a next wake-up as soon as the route waits for the ledger with its timeout.
  await expect.poll(() => merchant.clock.nextWakeAt()).not.toBeNull();
  await merchant.clock.advance(2_000);
  expect(await (await pending).json()).toEqual(unhealthy);
});

test.each([
  ["only reads", "standby"],
  ["waits with its commits for another server", "commits_wait"],
] as const)("a server whose database %s is not ready", async (_what, condition) => {
  merchant.ledger.condition = async () => condition;
  const answer = await merchant.get("/readyz");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ ready: false, ledger: condition });
});

test("a process whose database is down is alive, and a process whose timer is stuck is not", async () => {
  merchant.ledger.nextDueAt = () => Promise.reject(new Error("disk full"));
  expect(await (await merchant.get("/livez")).json()).toEqual({ alive: true, timer: "off" });
  merchant.checkout.startTimer();
  expect(await (await merchant.get("/livez")).json()).toEqual({ alive: true, timer: "alive" });
  // A timer that was started and no longer runs counts as stuck. Only a timer that was never started is "off".
  await merchant.checkout.close();
  const answer = await merchant.get("/livez");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ alive: false, timer: "stuck" });
});
