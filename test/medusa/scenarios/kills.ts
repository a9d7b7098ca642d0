import { describe, expect, it } from "vitest";
import { expectOk } from "../http.ts";
import type { ScenarioFixture } from "../scenario-fixture.ts";

/** Medusa works for this long on a webhook before it is killed. Some of these times are in the middle of writing the order. */
const KILLED_AFTER_MS = [20, 60, 120, 250];

/** Medusa killed while it places an order. */
export function kills(fixture: () => ScenarioFixture): void {
  describe("Medusa killed during a payment", () => {
    it("orders exist within 30 seconds of the restart, whenever Medusa was killed", async () => {
      const { probe } = fixture();
      const times: number[] = [];
      for (const killedAfterMs of KILLED_AFTER_MS) {
        const { cartId, checkoutId, collectionId } = await fixture().payWithoutWebhook("xof");
        await fixture().sendWebhook(await fixture().webhookBodyFor(checkoutId));
        await new Promise((resolve) => setTimeout(resolve, killedAfterMs));
        await fixture().kill();
        await fixture().restart();
        times.push((await probe.orderOf(cartId)).ms);
        expect(await probe.captures(collectionId)).toEqual([5_000]);
      }
      console.log(`From the restart to the order: ${times.map(Math.round).join(", ")} ms.`);
    });

    it("a shopper who returns while a dead process holds the order gets the order at once", async () => {
      const { probe, shopper, sql } = fixture();
      const { cartId, collectionId } = await fixture().payWithoutWebhook("usd");
      const [row] = await sql<{ request: string }>(
        `select request from tillkit.tillkit_payments where order_id = '${collectionId}'`,
      );
      const { success_url: url } = JSON.parse(row?.request ?? "{}");
      const until = Date.now() + 60_000;
      await sql(
        `insert into tillkit.tillkit_order_locks (store_id, order_id, worker, fence, leased_until)
         values ('medusa', '${collectionId}', 'dead', 1, ${until})`,
      );
      const token = new URL(url).searchParams.get("tillkit");
      const startedAt = performance.now();
      const answer = await expectOk(
        shopper.call<{ status: string; order_id: string }>("POST", `/store/tillkit/returns/${token}`),
      );
      console.log(`A return beside a dead lease: ${Math.round(performance.now() - startedAt)} ms.`);
      expect(answer).toEqual({ status: "paid", order_id: (await probe.orders(cartId))[0] });
      expect(await probe.captures(collectionId)).toEqual([9.9]);
    });
  });
}
