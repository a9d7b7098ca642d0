import { limits, type Receipt } from "@tillkit/core";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import { createWooStore, type WriteOrdersBy } from "../src/store/woo-store.ts";
import { LINK_SECRET } from "./adapter-fixture.ts";

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
/** Just below the time limits: the shop processes every request for `PROCESSING_MS`, and a write waits `WRITE_DELAY_MS` before that. */
const PROCESSING_MS = 4_500;
const WRITE_DELAY_MS = 9_000;

describe("time limit of an adapter call", () => {
  it("a slow shop gets no REST write after the plugin's route has used up the time limit of the call", async () => {
    const fixture = await slowShop("auto");
    const { fake, adapter, ref } = fixture;
    // The plugin is not installed, so the shop adds no processing time to this delay.
    fake.faults.failNextWrite({ lateMs: WRITE_DELAY_MS + PROCESSING_MS });
    const { result } = await runToEnd(fixture, adapter.markPaid({ ...RECEIPT, ref }));
    expect(result).toMatchObject({ code: "unavailable" });
    expect(fake.requests).toContain("POST tillkit/v1/mark-paid");
    expect(fake.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
    expect(fake.shop.effects).toEqual([]);
  });

  it("a write in flight at the end of the time limit is reported as unknown, and no other write follows", async () => {
    const fixture = await slowShop("auto", { withPlugin: true });
    const { fake, adapter, ref } = fixture;
    // The plugin first answers with its own time, so the call is repeated.
    fake.setClockOffset(600_000);
    for (const _ of [1, 2]) fake.faults.failNextWrite({ lateMs: WRITE_DELAY_MS + PROCESSING_MS });
    const { result, ms } = await runToEnd(fixture, adapter.markPaid({ ...RECEIPT, ref }));
    expect(result).toMatchObject({ code: "unknown" });
    expect(ms).toBeLessThanOrEqual(limits.storeCallMs);
    expect(fake.requests.filter((request) => request.startsWith("POST"))).toHaveLength(2);
  });

  it.each<WriteOrdersBy>(["rest", "auto"])(
    "a slow shop gets no hold after the time limit of the call (%s)",
    async (writeOrdersBy) => {
      const fixture = await slowShop(writeOrdersBy);
      const { fake, adapter, ref } = fixture;
      fake.faults.failNextWrite({ lateMs: WRITE_DELAY_MS });
      fake.faults.failNextWrite({ lateMs: 0 });
      const finding = {
        code: "total_changed",
        expected: { minor: 5_000, currency: "XOF" },
        found: { minor: 6_000, currency: "XOF" },
      } as const;
      const { result } = await runToEnd(fixture, adapter.holdForReview(ref, "", finding));
      // The note was in flight at the end of the time limit.
      expect(result).toMatchObject({ code: "unknown" });
      expect(fake.requests.filter((request) => !request.startsWith("GET"))).toEqual([
        ...(writeOrdersBy === "auto" ? ["POST tillkit/v1/note"] : []),
        `POST wc/v3/orders/${ref.orderId}/notes`,
      ]);
    },
  );

  it("a slow shop is marked paid if all requests fit into the time limit", async () => {
    const fixture = await slowShop("rest");
    const { fake, adapter, ref } = fixture;
    fake.faults.failNextWrite({ lateMs: WRITE_DELAY_MS });
    const { result } = await runToEnd(fixture, adapter.markPaid({ ...RECEIPT, ref }));
    expect(result).toMatchObject({ outcome: "recorded" });
    expect(fake.shop.effects).toHaveLength(1);
  });
});

type SlowShop = Awaited<ReturnType<typeof slowShop>>;

async function slowShop(writeOrdersBy: WriteOrdersBy, { withPlugin = false } = {}) {
  const clock = createManualClock(Date.now());
  const plugin = { checkoutServerUrl: "https://pay.example", storeId: "boutique", linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ clock, ...(withPlugin ? { plugin } : {}) });
  onTestFinished(fake.close);
  const options = {
    ...fake,
    storeId: "boutique",
    linkSecret: LINK_SECRET,
    environment: "test",
    writeOrdersBy,
    clock,
  } as const;
  const adapter = createWooCommerceAdapter(createWooStore(options));
  const { id } = fake.shop.placeOrder({ total: "5000" });
  fake.faults.setLatency(PROCESSING_MS);
  return { fake, adapter, clock, ref: { storeId: "boutique", orderId: String(id) } };
}

/** Advances virtual time from timer to timer until the call has ended, and then one more minute. */
async function runToEnd({ fake, clock }: SlowShop, call: Promise<unknown>): Promise<{ result: unknown; ms: number }> {
  const startedAt = clock.now();
  let done = false;
  const ended = call
    .catch((error: unknown) => error)
    .then((result) => {
      done = true;
      return { result, ms: clock.now() - startedAt };
    });
  while (!done) {
    await waitFor(() => expect(done || fake.faults.requestsInFlight > 0).toBe(true), {
      interval: 2,
    });
    await clock.advance(done ? 0 : (clock.nextWakeAt() ?? clock.now()) - clock.now());
  }
  for (let second = 0; second < 60; second += 1) await clock.advance(1_000);
  return await ended;
}
