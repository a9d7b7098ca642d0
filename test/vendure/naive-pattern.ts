import type { Fixture } from "./fixture.ts";

/** Sends this many webhooks for one order at once. @returns how often the handler took money for it */
export async function settleNaively(fixture: Fixture, webhooks: number): Promise<number> {
  const shopper = fixture.newShopper();
  const code = await shopper.fillCart();
  await shopper.moveTo("ArrangingPayment");
  const before = await fixture.callTestPlugin<number>("handler-calls", {});
  const answers = Array.from({ length: webhooks }, (_, number) =>
    // A webhook that fails is a refusal, and no second effect.
    fixture.callTestPlugin("naive", { code, transactionId: `txn_${code}_${number}` }).catch(() => null),
  );
  await Promise.all(answers);
  return (await fixture.callTestPlugin<number>("handler-calls", {})) - before;
}
