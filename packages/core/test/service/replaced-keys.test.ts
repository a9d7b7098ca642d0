import { describe, expect, it } from "vitest";
import { confirmPayment, createEngine, refundPayment, startCheckout } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder, REFERENCE_KEY } from "../fixture/samples.ts";
import { startPayment } from "../fixture/steps.ts";

describe("API keys that are replaced while a payment is open", () => {
  /** The service behind each key sees only what was opened with it; `asked` is which key each call came with. */
  function rotated(fixture: EngineFixture) {
    const asked: string[] = [];
    const tenants = {
      ...fixture.engine.tenants,
      credentialFor: async () => ({ id: "new key", account: null }),
      service: async (id: string) => {
        asked.push(id);
        return await fixture.engine.tenants.service(id);
      },
    };
    const { sessionCache, watchSchedule, circuitBreakers, storeConcurrency, ...options } = fixture.engine;
    const referenceKeys = ["a newer key, long enough to sign our references", REFERENCE_KEY] as const;
    return { asked, engine: createEngine({ ...options, tenants, referenceKeys }) };
  }

  it("an open payment finishes with the key that opened it, and the next order uses the new key", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    const { asked, engine } = rotated(fixture);
    fixture.service.pay("session-1");
    expect(await confirmPayment(engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
    expect(asked).toEqual(["key"]);
    const { paymentId: next } = await startCheckout(engine, anOrder({ ref: { storeId: "shop", orderId: "1043" } }));
    expect(asked).toEqual(["key", "new key"]);
    expect(await fixture.ledger.find({ id: next ?? "" })).toMatchObject({ credentialId: "new key" });
  });

  it("a refund uses the key that opened the payment", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    fixture.service.pay("session-1");
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    const { asked, engine } = rotated(fixture);
    const request = { paymentId, key: "click", amount: { minor: 100, currency: "XOF" }, origin: "store" } as const;
    expect(await refundPayment(engine, request)).toMatchObject({ state: "completed" });
    expect(new Set(asked)).toEqual(new Set(["key"]));
  });
});
