import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { confirmPayment } from "./confirm-payment.ts";
import type { ConfirmResult } from "./confirm-result.ts";

/**
 * A payment that was verified did not count after all: the store refused it, or it turned out to differ. Those that were
 * called its duplicates meanwhile are judged anew; one of them may be the good one.
 *
 * @returns the confirms, of which some may have to be tried again
 */
export async function reopenDuplicates(engine: Engine, fallen: Payment): Promise<ConfirmResult[]> {
  if (fallen.state === "verified" || fallen.state === "recorded") return [];
  const siblings = await engine.ledger.siblings(fallen.ref);
  const confirms: ConfirmResult[] = [];
  for (const { id, state } of siblings) {
    if (state === "duplicate")
      confirms.push(await confirmPayment(engine, id, { actor: "timer", includeDuplicate: true }));
  }
  return confirms;
}
