import { type Choice, offerOf, type View } from "@tillkit/core/back-office";
import { MINUTE } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import { decideOnPage, openPage } from "./payment-page.ts";
import { anyAlive, type SimulatedOrder, type SimulationWorld } from "./simulation-world.ts";

/**
 * Simulates the person on the payment's page, who decides what the engine leaves to a person: which transaction paid, a refund over a
 * dispute, the refund of a second transaction, a dispute that ended without an outcome, and whether a refund in doubt was made.
 */
export async function simulatePerson(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { clock, personRandom, hazards, activeUntil } = world;
  const { persons } = hazards.money;
  while (persons > 0 && clock.now() < activeUntil) {
    await clock.sleep(randomMs(personRandom, 15 * MINUTE));
    if (!happens(personRandom, persons)) continue;
    const paymentId = pick(personRandom, [order.payments[0], ...order.payments]);
    const act = pick(personRandom, [nameTransaction, refundOverDispute, refundSurplus, decideDispute, lookAtRefund]);
    const view = paymentId === undefined ? null : await openPage(world, paymentId);
    if (view !== null) await act(world, view);
  }
}

/** A person who looks at the candidates recognizes the right one, and decides nothing where it is missing. */
async function nameTransaction(world: SimulationWorld, view: View): Promise<void> {
  const { id: paymentId } = view.payment;
  const candidates = await anyAlive(world)
    ?.app.transactionCandidates(paymentId)
    .catch(() => []);
  const own = world.service.sessionOf(paymentId)?.transactions ?? [];
  const right = candidates?.find(({ id }) => own.some((transaction) => transaction.id === id));
  if (right) await decideTwice(world, view, { kind: "nameTransaction", transactionId: right.id });
}

/** The person confirms the disputed sum that the page shows, which may have changed since. */
async function refundOverDispute(world: SimulationWorld, view: View): Promise<void> {
  const { overDispute } = offerOf(view, "refund") ?? {};
  if (!overDispute) return;
  const amount = { ...overDispute.disputed, minor: 100 };
  await decideTwice(world, view, { kind: "refund", transactionId: null, amount, overDispute: true });
}

/** The shopper paid the session twice, and gets the second payment back. */
async function refundSurplus(world: SimulationWorld, view: View): Promise<void> {
  const [, second] = view.sums;
  if (!second || second.transactionId === null || second.available.minor <= 0) return;
  const { transactionId, available: amount } = second;
  await decideTwice(world, view, { kind: "refund", transactionId, amount });
}

async function decideDispute(world: SimulationWorld, view: View): Promise<void> {
  const ended = view.offers.find(({ kind }) => kind === "disputeOutcome")?.subject;
  if (!ended) return;
  const outcome = pick(world.personRandom, ["won", "lost"] as const);
  await decideTwice(world, view, { kind: "disputeOutcome", disputeId: ended, outcome });
}

/** The person looks in the service's dashboard, which shows whether a refund in doubt was made. */
async function lookAtRefund(world: SimulationWorld, view: View): Promise<void> {
  const { subject } = view.offers.find(({ kind, why }) => kind === "looked" && why === null) ?? {};
  const stored = view.movements.refunds.find(({ key }) => key === subject);
  if (!stored) return;
  const isIt = (key: string | null) => key !== null && (key === stored.key || key === stored.unmarkedKey);
  const made = world.service.refunds.find(({ key, status }) => isIt(key) && status !== "failed");
  // A person decides nothing about a refund that the service has not decided.
  if (made?.status === "pending") return;
  await decideTwice(world, view, { kind: "looked", refundKey: stored.key, wasMade: made !== undefined });
}

/** The person clicks once more after a while, because nothing seems to happen. */
async function decideTwice(world: SimulationWorld, view: View, choice: Choice): Promise<void> {
  await decideOnPage(world, view, choice);
  await world.clock.sleep(randomMs(world.personRandom, MINUTE));
  await decideOnPage(world, view, choice);
}
