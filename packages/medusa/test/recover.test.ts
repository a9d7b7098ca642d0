import { confirmPayment } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPayments } from "../src/admin-api/list-payments.ts";
import recover from "../src/recover.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/** Runs the program as `medusa exec` does, with a database that lost everything since its backup. Returns what it printed. */
async function recoverSince(time: string | undefined): Promise<readonly string[]> {
  const lines: string[] = [];
  const services: Readonly<Record<string, unknown>> = {
    tillkit: { runtime: () => fixture.runtime() },
    logger: { info: (line: string) => lines.push(line) },
  };
  const container = { resolve: (name: string) => services[name] };
  await recover({ container, ...(time === undefined ? {} : { args: [time] }) });
  return lines;
}

async function loseDatabase(): Promise<void> {
  const { ledger } = await fixture.runtime();
  const empty = await openLedger("sqlite::memory:", { secretKeys: ["a key of the tests, long enough to sign with"] });
  await ledger.close();
  Object.assign(ledger, empty);
}

describe("recovering payments after a restored backup", () => {
  it("a payment whose cart survived places its order once, and a second run finds nothing", async () => {
    const { session, cart } = await fixture.startCheckout();
    await fixture.pay(session);
    await loseDatabase();
    expect(await recoverSince("2020-01-01")).toEqual([
      "Recovery finished: transactions checked 1, payments recovered 1, payments with a recovered refund 0, dispute events found 0; no delivery log was found, so disputes of recovered payments are not known.",
    ]);
    expect(fixture.medusa.tables.orders).toMatchObject([{ cartId: cart.id }]);
    expect((await recoverSince("2020-01-01"))[0]).toContain("transactions checked 1, payments recovered 0,");
    expect(fixture.medusa.tables.payments.map(({ captures }) => captures)).toEqual([1]);
  });

  it("a dispute that was opened after the backup is read from the delivery logs of the webhook that this plugin registered", async () => {
    await fixture.close();
    fixture = await openFixture({ registerWebhookAt: "http://127.0.0.1:9" });
    const { session } = await fixture.startCheckout();
    await fixture.pay(session);
    const { engine } = await fixture.runtime();
    const { id: paymentId } = await fixture.payment(session);
    await confirmPayment(engine, paymentId, { actor: "webhook" });
    const { transactionId } = await fixture.payment(session);
    await fixture.sandbox.control.createDispute({ transaction_id: transactionId ?? "" });
    await loseDatabase();
    expect((await recoverSince("2020-01-01"))[0]).toMatch(
      /payments recovered 1, .*, dispute events found [1-9]\d*; disputes before 2\d{3}-/,
    );
    const { id } = await fixture.payment(session);
    const { ledger } = await fixture.runtime();
    expect(await ledger.disputes(id)).toHaveLength(1);
  });

  it("a payment whose cart is gone waits for the owner", async () => {
    const { session, cart } = await fixture.startCheckout();
    await fixture.pay(session);
    await fixture.medusa.changeTotal(cart, "22.8");
    await loseDatabase();
    await recoverSince("2020-01-01T00:00:00Z");
    const query = { filter: "review", after: undefined, language: "en" } as const;
    const { payments } = await listPayments(await fixture.runtime(), query);
    expect(payments).toMatchObject([{ state: "review", amount: "$22.80" }]);
    expect(fixture.medusa.tables.orders).toEqual([]);
  });

  it.each([undefined, "yesterday", "2026-01-31T02:00:00"])("the time %j is rejected with an example", async (time) => {
    await expect(recoverSince(time)).rejects.toThrow("with its time zone: 2026-01-31T02:00:00Z");
  });
});
