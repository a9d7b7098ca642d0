import { describe, expect, it } from "vitest";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passMinutes, startPayment } from "../fixture/steps.ts";

describe("a store that is switched from test to live", () => {
  it("a test payment never pays a live order, and the order is held with the reason", async () => {
    const fixture = createEngineFixture();
    await startPayment(fixture);
    fixture.store.order = anOrder({ environment: "live" });
    fixture.service.pay("session-1");
    await passMinutes(fixture, 5);
    expect(fixture.store.paid).toEqual([]);
    expect(await fixture.expectPaymentIn("review")).toMatchObject({ finding: { code: "other_environment" } });
  });
});
