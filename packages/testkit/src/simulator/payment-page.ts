import { findingKey } from "@tillkit/core";
import { type Choice, offerOf, type View } from "@tillkit/core/back-office";
import { SECOND } from "./hazards/durations.ts";
import { addHistory, anyAlive, increment, type SimulationWorld, withTimeout } from "./simulation-world.ts";

const PAGE_TIMEOUT_MS = 40 * SECOND;
const PERSON = { by: "owner", right: "operator", storeId: null } as const;

/** A person opens the page of a payment. Null: no process answers, or the ledger does not know the payment. */
export async function openPage(world: SimulationWorld, paymentId: string): Promise<View | null> {
  const process = anyAlive(world);
  if (!process) return null;
  return await withTimeout(world, PAGE_TIMEOUT_MS, process.app.view(paymentId)).catch(() => null);
}

/**
 * The person decides on the page that they opened, which may be out of date by now. The same choice on the same view is the same decision,
 * however often it is clicked.
 */
export async function decideOnPage(world: SimulationWorld, view: View, choice: Choice): Promise<void> {
  const { id: paymentId } = view.payment;
  const id = [view.seen, ...Object.values(choice).map((value) => JSON.stringify(value))].join(" ");
  recordChoice(world, view, choice, `decision:${paymentId}:${id}`);
  const process = anyAlive(world);
  increment(world.tallies.signals, paymentId);
  const decided =
    process &&
    (await withTimeout(
      world,
      PAGE_TIMEOUT_MS,
      process.app.decide({ ...choice, paymentId, person: PERSON, seen: view.seen, id }),
    ).catch(() => null));
  addHistory(world, `payment ${paymentId}: a person decides ${choice.kind} → ${decided?.status ?? "no answer"}`);
}

// What the invariants compare with what happened.
function recordChoice(
  { clock, decisions, acceptances, moneyFacts }: SimulationWorld,
  view: View,
  choice: Choice,
  key: string,
): void {
  const { id: paymentId, finding } = view.payment;
  const seen = finding ? findingKey(finding) : "";
  if (choice.kind === "accept") acceptances.push({ paymentId, seen, at: clock.now() });
  if (choice.kind !== "refund" || decisions.some(({ keys }) => keys.includes(key))) return;
  const { transactionId } = choice;
  const subject = `${choice.amount?.minor ?? "the rest"} of payment ${paymentId} ${transactionId ?? ""} by ${key}`;
  decisions.push({ subject, paymentId, shownPaymentId: null, keys: [key], origin: "tillkit" });
  const disputed = offerOf(view, "refund", transactionId)?.overDispute?.disputed;
  if (choice.overDispute && disputed) moneyFacts.confirmations.push({ key, disputed });
}
