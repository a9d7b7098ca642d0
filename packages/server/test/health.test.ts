import { afterEach, beforeEach, expect, test } from "vitest";
import { type MerchantWorld, openMerchantWorld } from "./world/merchant-world.ts";

let world: MerchantWorld;
beforeEach(async () => {
  world = await openMerchantWorld();
});
afterEach(() => world.close());

test("a new server is healthy and has no due job", async () => {
  const answer = await world.get("/healthz");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({
    ok: true,
    ledger: "reachable",
    timer: { running: false, lagMs: 0 },
  });
});

test("a due job that no process runs is reported as lag", async () => {
  await world.ledger.commit({
    jobs: [{ kind: "note", storeId: "boutique", paymentId: null, payload: "", dueAt: world.clock.now() + 1_000 }],
    timeline: [],
  });
  await world.clock.advance(61_000);
  expect(await (await world.get("/healthz")).json()).toMatchObject({ timer: { lagMs: 60_000 } });
});

test("the health report shows a running timer", async () => {
  world.checkout.startTimer();
  expect(await (await world.get("/healthz")).json()).toMatchObject({ timer: { running: true } });
  await world.checkout.close();
  expect(await (await world.get("/healthz")).json()).toMatchObject({ timer: { running: false } });
});

test("a ledger that fails or does not answer within two seconds makes the health check fail", async () => {
  const unhealthy = { ok: false, ledger: "unreachable", timer: { running: false, lagMs: null } };
  world.ledger.nextDueAt = () => Promise.reject(new Error("disk full"));
  const failing = await world.get("/healthz");
  expect(failing.status).toBe(503);
  expect(await failing.json()).toEqual(unhealthy);

  world.ledger.nextDueAt = () => new Promise(() => undefined);
  const asked = world.get("/healthz");
  await expect.poll(() => world.clock.nextWakeAt()).not.toBeNull();
  await world.clock.advance(2_000);
  expect(await (await asked).json()).toEqual(unhealthy);
});
