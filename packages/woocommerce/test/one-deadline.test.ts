import { limits, type Receipt } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { createFakeWooCommerce } from "@tillkit/woocommerce/fake";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createWooShop, type SettleBy } from "../src/adapter/woo-shop.ts";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import { LINK_SECRET } from "./woo-harness.ts";

const TOTAL = { minor: 5_000, currency: "XOF" } as const;
const RECEIPT: Omit<Receipt, "ref"> = {
  paymentId: "4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11",
  attempt: "",
  sessionId: "cs_01",
  transactionId: "tx_01",
  paid: TOTAL,
  total: TOTAL,
  environment: "test",
  fence: 1,
};
/** Just quick enough for a read, and for a write: that one is so long on its way, and works as long as a read. */
const [SLOW_READ, SLOW_WRITE] = [4_500, 9_000];

describe("a slow shop", () => {
  it("is not marked paid by its API after the plugin's route took the time that the engine counts with", async () => {
    const world = await slowShop("auto");
    const { fake, adapter, ref } = world;
    // No route there, so nothing works at it.
    fake.faults.failNextWrite({ lateMs: SLOW_WRITE + SLOW_READ });
    const { said } = await ended(world, adapter.markPaid({ ...RECEIPT, ref }));
    expect(said).toMatchObject({ code: "unavailable" });
    expect(fake.requests).toContain("POST tillkit/v1/settle");
    expect(fake.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
    expect(fake.shop.effects).toEqual([]);
  });

  it("leaves a write in doubt that was under way when the time was over, and gets no other one", async () => {
    const world = await slowShop("auto", true);
    const { fake, adapter, ref } = world;
    // Wrong enough for the plugin, which tells its time and is asked again.
    fake.setClockOffset(600_000);
    for (const _ of [1, 2]) fake.faults.failNextWrite({ lateMs: SLOW_WRITE + SLOW_READ });
    const { said, ms } = await ended(world, adapter.markPaid({ ...RECEIPT, ref }));
    expect(said).toMatchObject({ code: "unknown" });
    expect(ms).toBeLessThanOrEqual(limits.storeCallMs);
    expect(fake.requests.filter((request) => request.startsWith("POST"))).toHaveLength(2);
  });

  it.each<SettleBy>(["rest", "auto"])("is not put on hold after that time either (%s)", async (settleBy) => {
    const world = await slowShop(settleBy);
    const { fake, adapter, ref } = world;
    fake.faults.failNextWrite({ lateMs: SLOW_WRITE });
    fake.faults.failNextWrite({ lateMs: 0 });
    const finding = { code: "total_changed", expected: "5000 XOF", found: "6000 XOF" } as const;
    const { said } = await ended(world, adapter.holdForReview(ref, "", finding));
    // The note before it was under way when the time was over.
    expect(said).toMatchObject({ code: "unknown" });
    expect(fake.requests.filter((request) => !request.startsWith("GET"))).toEqual([
      `POST wc/v3/orders/${ref.orderId}/notes`,
    ]);
  });

  it("is marked paid as ever where all of it fits into that time", async () => {
    const world = await slowShop("rest");
    const { fake, adapter, ref } = world;
    fake.faults.failNextWrite({ lateMs: SLOW_WRITE });
    const { said } = await ended(world, adapter.markPaid({ ...RECEIPT, ref }));
    expect(said).toMatchObject({ outcome: "recorded" });
    expect(fake.shop.effects).toHaveLength(1);
  });
});

type SlowShop = Awaited<ReturnType<typeof slowShop>>;

async function slowShop(settleBy: SettleBy, withPlugin = false) {
  const clock = createManualClock(Date.now());
  const plugin = { companionUrl: "https://pay.example", storeId: "boutique", linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ clock, ...(withPlugin ? { plugin } : {}) });
  onTestFinished(fake.close);
  const options = {
    ...fake,
    storeId: "boutique",
    linkSecret: LINK_SECRET,
    environment: "test",
    settleBy,
    clock,
  } as const;
  const adapter = createWooCommerceAdapter(createWooShop(options));
  const { id } = fake.shop.placeOrder({ total: "5000" });
  fake.faults.setLatency(SLOW_READ);
  return { fake, adapter, clock, ref: { storeId: "boutique", orderId: String(id) } };
}

/** Virtual time goes on, from one moment at which something happens to the next, until the call has ended; and a minute more. */
async function ended({ fake, clock }: SlowShop, call: Promise<unknown>): Promise<{ said: unknown; ms: number }> {
  const began = clock.now();
  let done = false;
  const end = call
    .catch((error: unknown) => error)
    .then((said) => {
      done = true;
      return { said, ms: clock.now() - began };
    });
  while (!done) {
    await vi.waitFor(() => expect(done || fake.faults.underWay > 0).toBe(true), { interval: 2, timeout: 5_000 });
    await clock.advance(done ? 0 : (clock.nextWakeAt() ?? clock.now()) - clock.now());
  }
  for (let second = 0; second < 60; second += 1) await clock.advance(1_000);
  return await end;
}
