import { describe, expect, it } from "vitest";
import { confirmPayment, createEngine, refundPayment, startCheckout } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder, REFERENCE_KEY } from "../fixture/samples.ts";
import { startAndPay, startPayment } from "../fixture/steps.ts";

describe("API keys that are replaced while a payment is open", () => {
  /** An engine whose next credential is a new key. `usedKeys` lists the key of each call. */
  function rotateKey(fixture: EngineFixture) {
    const usedKeys: string[] = [];
    const tenants = {
      ...fixture.engine.tenants,
      credentialFor: async () => ({ id: "new key", account: null }),
      service: async (id: string) => {
        usedKeys.push(id);
        return await fixture.engine.tenants.service(id);
      },
    };
    const { sessionCache, watchSchedule, circuitBreakers, storeConcurrency, ...options } = fixture.engine;
    const referenceKeys = ["a newer key, long enough to sign our references", REFERENCE_KEY] as const;
    return { usedKeys, engine: createEngine({ ...options, tenants, referenceKeys }) };
  }

  it("an open payment finishes with the key that opened it, and the next order uses the new key", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    const { usedKeys, engine } = rotateKey(fixture);
    fixture.service.pay("session-1");
    expect(await confirmPayment(engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
    expect(new Set(usedKeys)).toEqual(new Set(["key"]));
    const { paymentId: next } = await startCheckout(engine, anOrder({ ref: { storeId: "shop", orderId: "1043" } }));
    expect(new Set(usedKeys)).toEqual(new Set(["key", "new key"]));
    expect(await fixture.ledger.find({ id: next ?? "" })).toMatchObject({ credentialId: "new key" });
  });

  it("a refund uses the key that opened the payment", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    const { usedKeys, engine } = rotateKey(fixture);
    const request = { paymentId, key: "click", amount: { minor: 100, currency: "XOF" }, origin: "store" } as const;
    expect(await refundPayment(engine, request)).toMatchObject({ state: "completed" });
    expect(new Set(usedKeys)).toEqual(new Set(["key"]));
  });
});
