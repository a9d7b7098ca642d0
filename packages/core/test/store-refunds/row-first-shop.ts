import { syncRefunds } from "../../src/index.ts";
import { requestStoreRefund, type ShownRefund, type StoreRefunds } from "../../src/store-refunds.ts";
import type { EngineFixture } from "../fixture/engine-fixture.ts";
import { fixtureWithPaidOrder, francs } from "../refunds/refund-steps.ts";

export const ANSWER_WITHIN_MS = 4_000;

/**
 * A shop that makes a row of each click before it asks, removes the row of a refund that was not accepted, and knows no pending refund. Its
 * processes do not wait for each other.
 */
export async function openRowFirstShop() {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  return rowFirstShopOf(fixture, paymentId);
}

export function rowFirstShopOf(fixture: EngineFixture, paymentId: string) {
  const { ledger, clock } = fixture;
  let whileWaiting: () => Promise<unknown> = async () => {};
  // A wait moves the clock, so the tests do not wait.
  async function sleep(ms: number) {
    await clock.advance(ms);
    await whileWaiting();
  }
  const engine = { ...fixture.engine, clock: { now: clock.now, sleep } };
  const host = { engine, ledger };
  const rows: ShownRefund[] = [];
  let clicks = 0;

  /** Of the click that made this row. `meanwhile` runs right after the rows were read, for the first time or as often as `afterReads` says. */
  function storeOf(
    own: ShownRefund | null = null,
    meanwhile: () => Promise<unknown> = async () => {},
    afterReads = 1,
  ): StoreRefunds {
    let reads = 0;
    return {
      keys: "per-click",
      pending: { answerWithinMs: ANSWER_WITHIN_MS },
      shownByStore: true,
      async list() {
        const shown = { counted: francs(5_000), refunds: rows.filter((row) => row !== own) };
        reads += 1;
        if (reads === afterReads) await meanwhile();
        return shown;
      },
    };
  }

  async function payment() {
    const found = await ledger.find({ id: paymentId });
    if (!found) throw new Error("The ledger has no such payment.");
    return found;
  }

  async function click(minor: number, meanwhile?: () => Promise<unknown>, afterReads?: number) {
    clicks += 1;
    const row: ShownRefund = { names: [`shop:${clicks}`], amount: francs(minor), state: "made", recordedAt: null };
    rows.push(row);
    const request = { key: `shop:${clicks}`, amount: row.amount, askedAt: clock.now() };
    const answer = await requestStoreRefund(host, storeOf(row, meanwhile, afterReads), await payment(), request);
    const isBooked = answer.kind === "made" || answer.kind === "pending";
    if (!isBooked) rows.splice(rows.indexOf(row), 1);
    return answer.kind === "refused" ? answer.why.kind : answer.kind;
  }

  async function endAtService(index: number, status: "completed" | "failed") {
    const refund = fixture.service.refunds[index];
    if (refund) refund.status = status;
    await syncRefunds(engine, paymentId);
  }

  return {
    fixture,
    host,
    rows,
    click,
    payment,
    storeOf,
    endAtService,
    /** A refund that is pending for longer than the shop waits, and then fails. */
    async failLater(request: () => Promise<unknown>) {
      fixture.service.slowRefunds = true;
      await request();
      fixture.service.slowRefunds = false;
      await endAtService(fixture.service.refunds.length - 1, "failed");
    },
    runWhileWaiting(work: () => Promise<unknown>) {
      whileWaiting = work;
    },
    sent: () => fixture.service.refunds.map(({ wireAmount }) => wireAmount),
    made: () =>
      fixture.service.refunds.filter(({ status }) => status === "completed").map(({ wireAmount }) => wireAmount),
  };
}
