import type { Receipt } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/** An order that Medusa has placed, and what the engine asks of it once more because the answer to its write is missing. */
async function askAgain(change: Partial<Receipt>) {
  const { session } = await fixture.placePaidOrder();
  const { id: paymentId, ref, attempt, amountDue, environment } = await fixture.payment(session);
  const { store } = await fixture.runtime();
  const receipt = { paymentId, ref, attempt, sessionId: "", transactionId: null, paid: amountDue, total: amountDue };
  const ask = () => store.markPaid({ ...receipt, environment, fence: 1, ...change });
  return { ask, notices: () => fixture.medusa.tables.notifications.map(({ description }) => description) };
}

describe("an order that Medusa placed without an answer", () => {
  it("asks its owner once to look whether the e-mails were sent, because Medusa sends them after it has saved the order", async () => {
    const { ask, notices } = await askAgain({ unanswered: true });
    expect([await ask(), await ask()]).toMatchObject([{ outcome: "already" }, { outcome: "already" }]);
    expect(notices()).toEqual([
      expect.stringMatching(/Order #\d+ is paid.*Check whether you and the customer got its e-mails/),
    ]);
  });

  it("asks nothing where each write was answered", async () => {
    const { ask, notices } = await askAgain({});
    expect(await ask()).toMatchObject({ outcome: "already" });
    expect(notices()).toEqual([]);
  });
});
