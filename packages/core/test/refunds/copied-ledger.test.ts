import { expect, it } from "vitest";
import { type Engine, refundPayment, runDue } from "../../src/index.ts";
import { fixtureWithPaidOrder, francs, refund, refundedTotal } from "./refund-steps.ts";

async function ledgerOf(address: string) {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  await fixture.engine.installations.originalOf("", "https://shop.example");
  const engine: Engine = { ...fixture.engine, publicUrl: `https://${address}` };
  const request = { paymentId, key: "click-1", amount: francs(5_000), origin: "store" } as const;
  return { fixture, engine, refund: () => refundPayment(engine, request) };
}

it("a ledger that was copied to another address refunds nothing until a person says that the shop moved", async () => {
  const copied = await ledgerOf("staging.example");
  await expect(copied.refund()).rejects.toMatchObject({ code: "installation_unknown" });
  expect(refundedTotal(copied.fixture)).toBe(0);
  await copied.engine.installations.answer("", "https://staging.example", "moved");
  expect(await copied.refund()).toMatchObject({ state: "completed" });
});

it("a copied ledger does not send a refund again that the original had under way", async () => {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  await fixture.engine.installations.originalOf("", "https://shop.example");
  fixture.service.fail = "posts-down";
  await refund(fixture, paymentId, 5_000, "click-1");
  fixture.service.fail = null;
  const engine: Engine = { ...fixture.engine, publicUrl: "https://staging.example" };
  await fixture.clock.advance(600_000);
  await runDue(engine);
  expect(refundedTotal(fixture)).toBe(0);
});

it("a ledger at its own address refunds, with www. and by http too", async () => {
  const { refund: refundThere } = await ledgerOf("www.shop.example");
  expect(await refundThere()).toMatchObject({ state: "completed" });
});
