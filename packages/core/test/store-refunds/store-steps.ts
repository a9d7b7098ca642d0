import { requestStoreRefund, type ShownRefund, type StoreRefunds } from "../../src/store-refunds.ts";
import type { EngineFixture } from "../fixture/engine-fixture.ts";
import { fixtureWithPaidOrder, francs } from "../refunds/refund-steps.ts";

/** A shop that lists its refunds, gives each click a key of its own, and books only what is accepted. */
export async function openShop() {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  return { fixture, ...shopOf(fixture, paymentId) };
}

export function shopOf(fixture: EngineFixture, paymentId: string) {
  const { engine, ledger, clock } = fixture;
  const rows: ShownRefund[] = [];
  let clicks = 0;

  async function ask(minor: number, { askedAt = clock.now(), counted = 5_000, key = "" } = {}) {
    clicks += 1;
    const payment = await ledger.find({ id: paymentId });
    if (!payment) throw new Error("The ledger has no such payment.");
    const store: StoreRefunds = {
      keys: "per-click",
      pending: "shown",
      shownByStore: true,
      list: async () => ({ counted: francs(counted), refunds: rows }),
    };
    const request = { key: key || `shop:${clicks}`, amount: francs(minor), askedAt };
    return await requestStoreRefund({ engine, ledger }, store, payment, request);
  }

  function book(names: readonly string[], minor: number, state: ShownRefund["state"] = "made"): void {
    rows.push({ names, amount: francs(minor), state, recordedAt: clock.now() });
  }

  /** Like `ask`; the shop books what is accepted. */
  async function click(minor: number, options: Parameters<typeof ask>[1] = {}) {
    const answer = await ask(minor, options);
    if (answer.kind === "refused") return answer.why.kind;
    if (answer.kind !== "unknown") book([answer.refund.key], minor, answer.kind);
    return answer.kind;
  }

  const sent = () => fixture.service.refunds.map(({ wireAmount }) => wireAmount);
  return { paymentId, rows, ask, click, book, sent };
}
