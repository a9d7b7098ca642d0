import { describe, expect, it } from "vitest";
import {
  CheckoutError,
  confirmPayment,
  type Engine,
  refundPayment,
  type Service,
  startCheckout,
} from "../../src/index.ts";
import { syncRefunds } from "../../src/refunds/sync-refunds.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

const HOUR = 60 * 60_000;

async function paidWorld(): Promise<{ world: SmallWorld; paymentId: string }> {
  const world = createSmallWorld();
  const { paymentId } = await startCheckout(world.engine, anOrder());
  world.service.pay("session-1");
  await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" });
  return { world, paymentId: paymentId ?? "" };
}

function refund(engine: Engine, paymentId: string, minor: number, key: string) {
  return refundPayment(engine, { paymentId, key, amount: { minor, currency: "XOF" }, origin: "store" });
}

/** The engine with a service that answers some calls differently. */
function withService(engine: Engine, change: (service: Service) => Partial<Service>): Engine {
  const { tenants } = engine;
  const service = async (credentialId: string) => {
    const usual = await tenants.service(credentialId);
    return { ...usual, ...change(usual) };
  };
  return { ...engine, tenants: { ...tenants, service } };
}

/** Nobody reaches the service until it has forgotten the keys of today. */
async function forgetKeys(world: SmallWorld): Promise<void> {
  world.service.fail = "down";
  for (let hour = 0; hour < 25; hour += 1) {
    await world.clock.advance(HOUR);
    await world.work();
  }
  world.service.fail = null;
  for (let minute = 0; minute < 15; minute += 1) {
    await world.clock.advance(60_000);
    await world.work();
  }
}

const statesOf = async (world: SmallWorld, paymentId: string) =>
  Object.fromEntries((await world.ledger.refunds(paymentId)).map(({ key, state }) => [key, state]));

describe("a pending refund", () => {
  it("money in a pending refund cannot be refunded again", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.slowRefunds = true;
    expect(await refund(world.engine, paymentId, 3_000, "click-1")).toMatchObject({ state: "pending" });
    await expect(refund(world.engine, paymentId, 3_000, "click-2")).rejects.toMatchObject({ code: "refund_too_large" });
    expect(world.service.refunds).toHaveLength(1);
  });

  it("a refund with a stored result does not become unknown when a response is lost later", async () => {
    const { world, paymentId } = await paidWorld();
    const cut = withService(world.engine, (service) => ({
      async refund(want) {
        await service.refund(want);
        await refund(world.another("two"), paymentId, 2_000, "click-1");
        throw new CheckoutError("service_unavailable", "cut", { retryable: true });
      },
    }));
    expect(await refund(cut, paymentId, 2_000, "click-1")).toMatchObject({ state: "completed" });
    expect(await statesOf(world, paymentId)).toEqual({ "click-1": "completed" });
  });
});

describe("a refund that never reached the service", () => {
  it("a refund that was never made fails although another refund of the same amount was made just before", async () => {
    const { world, paymentId } = await paidWorld();
    await refund(world.engine, paymentId, 2_000, "click-1");
    world.service.fail = "down";
    await refund(world.engine, paymentId, 2_000, "click-2");
    await forgetKeys(world);
    expect(await statesOf(world, paymentId)).toEqual({ "click-1": "completed", "click-2": "failed" });
  });

  it("a refund that was never made fails although the dashboard refunded the same amount an hour before", async () => {
    const { world, paymentId } = await paidWorld();
    const createdAt = world.clock.now();
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 2_000, createdAt });
    await world.clock.advance(HOUR);
    world.service.fail = "down";
    await refund(world.engine, paymentId, 2_000, "click-1");
    await forgetKeys(world);
    expect(await statesOf(world, paymentId)).toEqual({ "click-1": "failed", "service:refund-9": "completed" });
  });

  it("a refund that was never made is sent again although the dashboard has refunded the same amount since", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.fail = "down";
    await refund(world.engine, paymentId, 2_000, "click-1");
    world.service.fail = null;
    const createdAt = world.clock.now();
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 2_000, createdAt });
    await syncRefunds(world.engine, paymentId);
    const sent = await refund(world.engine, paymentId, 2_000, "click-1");
    expect(sent).toMatchObject({ state: "completed", refundId: "refund-2" });
  });
});

describe("the transaction of a refund request", () => {
  it.each([
    ["was declined", { sessionId: "session-1", status: "failed" }],
    ["paid another session", { sessionId: "session-9", status: "completed" }],
  ])("a refund never uses a transaction that %s", async (_what, facts) => {
    const { world, paymentId } = await paidWorld();
    const payment = await world.paymentIn("recorded");
    const next = { ...payment, transactionId: "named", version: payment.version + 1 };
    await world.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    const engine = withService(world.engine, (service) => ({
      readTransaction: async (want) =>
        want.id === "named" ? { id: "named", ...facts } : await service.readTransaction(want),
    }));
    expect(await refund(engine, paymentId, 2_000, "click-1")).toMatchObject({ state: "completed" });
    expect(world.service.refundPosts[0]?.request).toContain("transaction-of-session-1");
  });
});
