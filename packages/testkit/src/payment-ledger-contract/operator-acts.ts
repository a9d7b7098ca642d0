import { expect, it } from "vitest";
import { type GetLedger, NOON } from "./samples.ts";

export function testOperatorActs(getLedger: GetLedger): void {
  it("the acts of operators are listed newest first, page by page, for one payment or for all payments", async () => {
    const act = (at: number, name: string, paymentId: string | null) => {
      return { at, by: "Adjoua, bookkeeping", act: name, paymentId, detail: "5 000 F CFA" };
    };
    await getLedger().recordAct(act(NOON, "log_in", null));
    await getLedger().recordAct(act(NOON + 1, "refund", "p1"));
    await getLedger().recordAct(act(NOON + 2, "retry", "p2"));
    const page = await getLedger().listActs({ limit: 2 });
    expect(page.rows).toEqual([act(NOON + 2, "retry", "p2"), act(NOON + 1, "refund", "p1")]);
    expect((await getLedger().listActs({ limit: 2, after: page.next ?? "" })).rows).toEqual([
      act(NOON, "log_in", null),
    ]);
    expect((await getLedger().listActs({ limit: 2, paymentId: "p1" })).rows).toEqual([act(NOON + 1, "refund", "p1")]);
  });
}
