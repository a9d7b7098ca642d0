import { type CaseResult, checkFixture } from "./case-result.ts";
import { type KillFixture, openFixture } from "./fixture.ts";
import type { FreezePoint } from "./messages.ts";
import type { DatabaseName, Resources } from "./resources.ts";
import { RequestRejected } from "./server-process.ts";
import { createShopActions, type ShopActions } from "./shop-actions.ts";

export type Freeze = Omit<FreezePoint, "folder">;

/** Longer than any lease, and than the service remembers the key of a refund. */
const FROZEN_MS = 26 * 60 * 60_000;
const AMOUNT = { minor: 1_000, currency: "XOF" };

/** An order is paid and refunded by two processes. One of them stops at a step and continues a day later, when the other is finished. */
export async function runFreeze(
  { processes, createDatabase }: Resources,
  database: DatabaseName,
  freezePoint: Freeze,
): Promise<CaseResult> {
  processes.takeOutput();
  const fixture = await openFixture({
    processes,
    postgresUrl: await createDatabase(database),
    roles: ["all", "all"],
    freezePoint,
  });
  try {
    const actions = createShopActions(fixture);
    await payAndRefund(fixture, actions);
    await actions.settle(FROZEN_MS);
    await fixture.advanceTime(FROZEN_MS);
    const wasFrozen = await fixture.thaw();
    const { violations, ...result } = await checkFixture(fixture, actions, processes);
    const notFrozen = wasFrozen ? [] : [`no process came to ${freezePoint.step}`];
    return { ...result, violations: [...violations, ...notFrozen, ...(await wrongRefunds(fixture))] };
  } finally {
    await fixture.close();
  }
}

async function payAndRefund(fixture: KillFixture, actions: ShopActions): Promise<void> {
  const order = await actions.place("read-then-write");
  const payment = await actions.requirePayment(order);
  await actions.pay(payment, "completed", "card");
  await actions.untilPaid(order);
  await actions.untilState(payment, "recorded");
  const request = { paymentId: payment.paymentId, key: "click-1", amount: AMOUNT, origin: "store" } as const;
  await actions.until("the refund was made", async () => {
    try {
      return (await fixture.request("refund", request)).state === "completed";
    } catch (error) {
      if (error instanceof RequestRejected) return false;
      throw error;
    }
  });
}

async function wrongRefunds({ service }: KillFixture): Promise<readonly string[]> {
  let count = 0;
  for await (const _ of service.refunds.list({ limit: 100 })) count += 1;
  return count === 1 ? [] : [`one refund was asked for, and ${count} were made`];
}
