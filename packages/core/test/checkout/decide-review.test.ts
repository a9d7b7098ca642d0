import { describe, expect, it } from "vitest";
import { acceptReview, confirmPayment, refundReview, startCheckout } from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

const edited = anOrder({ total: { minor: 4500, currency: "XOF" } });

async function heldWorld(make: (world: SmallWorld) => void): Promise<{ world: SmallWorld; paymentId: string }> {
  const world = createSmallWorld();
  const { paymentId } = await startCheckout(world.engine, anOrder());
  world.service.pay("session-1");
  make(world);
  await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" });
  await world.work();
  await world.paymentIn("review");
  return { world, paymentId: paymentId ?? "" };
}

const sessionOf = (world: SmallWorld) => {
  const session = world.service.sessions.get("session-1");
  if (!session) throw new Error("There is no session.");
  return session;
};

describe("the merchant's decision about a payment under review", () => {
  it("an accepted order change marks the order paid and stores the waiver", async () => {
    const { world, paymentId } = await heldWorld((one) => {
      one.store.order = edited;
    });
    expect(await acceptReview(world.engine, { paymentId, by: "owner" })).toMatchObject({ status: "paid" });
    expect(world.store.paid).toMatchObject([
      { paid: { minor: 5000, currency: "XOF" }, total: { minor: 4500, currency: "XOF" } },
    ]);
    const { waiver } = await world.paymentIn("recorded");
    expect(waiver).toMatchObject({ by: "owner", finding: { code: "total_changed", found: "4500 XOF" } });
  });

  it("an accepted difference does not cover another change of the order", async () => {
    const { world, paymentId } = await heldWorld((one) => {
      one.store.order = edited;
    });
    world.store.order = anOrder({ total: { minor: 9000, currency: "XOF" } });
    expect(await acceptReview(world.engine, { paymentId, by: "owner" })).toMatchObject({ status: "held" });
    expect(world.store.paid).toEqual([]);
  });

  it.each([
    ["somebody else's reference", { reference: "x.y" }],
    ["another environment", { environment: "live" }],
    ["another currency", { currency: "USD" }],
    ["a session that does not say its amount", { wireAmount: undefined }],
  ])("a held payment cannot be accepted because of %s", async (_name, lies) => {
    const { world, paymentId } = await heldWorld((one) => {
      sessionOf(one).lies = lies;
    });
    await expect(acceptReview(world.engine, { paymentId, by: "owner" })).rejects.toMatchObject({
      code: "review_not_acceptable",
    });
    expect(world.store.paid).toEqual([]);
  });

  it("a payment that is not under review cannot be accepted", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    const deciding = acceptReview(world.engine, { paymentId: paymentId ?? "", by: "owner" });
    await expect(deciding).rejects.toMatchObject({ code: "review_not_acceptable" });
  });

  it("a payment whose amount and order total both differ cannot be accepted", async () => {
    const { world, paymentId } = await heldWorld((one) => {
      sessionOf(one).lies = { wireAmount: 4999 };
      one.store.order = edited;
    });
    expect(await acceptReview(world.engine, { paymentId, by: "owner" })).toMatchObject({ status: "held" });
    const deciding = acceptReview(world.engine, { paymentId, by: "owner" });
    await expect(deciding).rejects.toMatchObject({ code: "review_not_acceptable" });
    await refundReview(world.engine, { paymentId, by: "owner" });
    expect(world.service.refunds).toMatchObject([{ wireAmount: 4999 }]);
    expect(world.store.paid).toEqual([]);
  });

  it("a held payment cannot be accepted while another payment counts for its order", async () => {
    const world = createSmallWorld();
    const first = await startCheckout(world.engine, anOrder());
    world.store.order = edited;
    const second = await startCheckout(world.engine, edited);
    for (const [session, { paymentId }] of [["session-1", first] as const, ["session-2", second] as const]) {
      world.service.pay(session);
      await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" });
    }
    expect((await world.ledger.find({ id: second.paymentId ?? "" }))?.state).toBe("recorded");
    const deciding = acceptReview(world.engine, { paymentId: first.paymentId ?? "", by: "owner" });
    await expect(deciding).rejects.toMatchObject({ code: "review_not_acceptable" });
    expect(world.store.paid).toHaveLength(1);
  });

  it("a refund of a held payment is made once for repeated clicks and written to the store", async () => {
    const { world, paymentId } = await heldWorld((one) => {
      one.store.order = edited;
    });
    for (let press = 0; press < 3; press += 1) await refundReview(world.engine, { paymentId, by: "owner" });
    await world.work();
    await world.paymentIn("refunded");
    expect(world.service.refunds).toHaveLength(1);
    const told = (await world.ledger.timeline({ paymentId })).filter(({ kind }) => kind === "refund_decided");
    expect(told).toMatchObject([{ actor: "operator", detail: "owner" }]);
    expect(world.store.refunds).toEqual(["refund-1 5000 completed"]);
  });

  it("a payment that became paid while the page was open is not refunded", async () => {
    const { world, paymentId } = await heldWorld((one) => {
      one.store.order = edited;
    });
    world.store.order = anOrder();
    await confirmPayment(world.engine, paymentId, { actor: "timer" });
    await world.paymentIn("recorded");
    const deciding = refundReview(world.engine, { paymentId, by: "owner" });
    await expect(deciding).rejects.toMatchObject({ code: "refund_not_possible" });
    expect(world.service.refunds).toEqual([]);
  });

  it.each([4999, 5001])(
    "a refund of a held payment returns the amount received, not the amount due: %i",
    async (wireAmount) => {
      const { world, paymentId } = await heldWorld((one) => {
        sessionOf(one).lies = { wireAmount };
      });
      await refundReview(world.engine, { paymentId, by: "owner" });
      expect(world.service.refunds).toMatchObject([{ wireAmount }]);
      await world.paymentIn("refunded");
    },
  );

  it("a second click refunds a held payment when the service refused the first refund", async () => {
    const { world, paymentId } = await heldWorld((one) => {
      one.store.order = edited;
    });
    world.service.refuseRefunds = true;
    expect(await refundReview(world.engine, { paymentId, by: "owner" })).toMatchObject({ state: "failed" });
    expect(await world.paymentIn("review")).toMatchObject({ finding: { code: "total_changed" } });
    world.service.refuseRefunds = false;
    expect(await refundReview(world.engine, { paymentId, by: "owner" })).toMatchObject({ state: "completed" });
    expect(world.service.refunds).toHaveLength(1);
    await world.paymentIn("refunded");
  });
});
