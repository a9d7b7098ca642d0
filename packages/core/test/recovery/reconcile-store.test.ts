import { describe, expect, it } from "vitest";
import { type OrderRef, reconcileStore } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { HOUR, passTime, startPayment } from "../fixture/steps.ts";

describe("reconcileStore", () => {
  it("a reconciliation finds a paid payment that has no scheduled reads left", async () => {
    const unsettled: OrderRef = { storeId: "shop", orderId: "1042" };
    const fixture = createEngineFixture({
      store: {
        async *listUnsettled() {
          yield { ref: unsettled, attempt: "" };
          yield { ref: { storeId: "shop", orderId: "never tried" }, attempt: "" };
        },
      },
    });
    await startPayment(fixture);
    await passTime(fixture, { ms: 80 * HOUR, stepMs: HOUR });
    await fixture.expectPaymentIn("closed");
    const session = fixture.service.sessions.get("session-1");
    if (session) session.status = "completed";
    expect(await reconcileStore(fixture.engine, "shop", 0)).toMatchObject({ orders: 2, read: 1, paid: 1, failed: 0 });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a reconciliation of a store that cannot list its orders does nothing", async () => {
    const fixture = createEngineFixture();
    expect(await reconcileStore(fixture.engine, "shop", 0)).toMatchObject({ orders: 0, read: 0 });
  });
});
