import type { Payment } from "../domain/payment.ts";
import { confirmPayment } from "./confirm-payment.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Engine } from "./engine.ts";

/**
 * A payment that was verified did not count after all: the store refused it, or it turned out to differ. Those that were
 * called its duplicates meanwhile are judged anew; one of them may be the good one.
 *
 * @returns the confirms, of which some may have to be tried again
 */
export async function reopenRivals(engine: Engine, fallen: Payment): Promise<Confirmed[]> {
  if (fallen.state === "verified" || fallen.state === "recorded") return [];
  const siblings = await engine.ledger.siblings(fallen.ref);
  const confirms: Confirmed[] = [];
  for (const { id, state } of siblings) {
    if (state === "duplicate") confirms.push(await confirmPayment(engine, id, { who: "timer", evenDuplicate: true }));
  }
  return confirms;
}
