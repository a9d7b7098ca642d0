import { type Payment, sameMoney } from "@tillkit/core";
import type { SimulatedSession } from "./simulated-service.ts";
import type { SimulatedOrder, SimulationWorld } from "./simulation-world.ts";

/** A promise that was broken, and how. */
export type Broken = { readonly invariant: "I1" | "I2" | "I3" | "I5" | "I7" | "I9"; readonly why: string };

/** Looks at the shop itself, at what the service knows and at the ledger, after the last fault is long over. */
export async function checkInvariants(world: SimulationWorld): Promise<Broken[]> {
  const broken = await Promise.all(world.orders.map((order) => checkOrder(world, order)));
  return [...broken.flat(), ...checkRefunds(world), ...checkBudget(world)];
}

async function checkOrder(world: SimulationWorld, order: SimulatedOrder): Promise<Broken[]> {
  const { ref } = order.placed;
  const effects = world.store.probe.effects(ref.orderId);
  const payments = await world.ledger.siblings(ref);
  const sessions = [...world.service.sessions.values()].filter(({ key }) => payments.some(({ id }) => id === key));
  const broken: Broken[] = [];
  const say = (invariant: Broken["invariant"], why: string) =>
    broken.push({ invariant, why: `${ref.orderId}: ${why}` });

  if (effects.length > 1) say("I1", `was marked paid ${effects.length} times`);
  for (const effect of effects) {
    const session = sessions.find(({ key }) => key === effect.paymentId);
    const wrong = whyWrong(session, effect.total);
    if (wrong) say("I2", wrong);
  }
  const back = payments.filter(({ state }) => state === "refunding" || state === "refunded").map(({ id }) => id);
  const good = sessions.filter((session) => isGood(session, order) && !back.includes(session.key));
  if (good.length > 0 && effects.length === 0 && !order.cancelled) say("I3", `${good.length} good payments, not paid`);
  for (const payment of payments) {
    const own = sessions.filter(({ key }) => key === payment.id);
    if (own.length > 1) say("I5", `payment ${payment.id} has ${own.length} sessions`);
    const hidden = whyHidden(payment, own[0]);
    if (hidden) say("I9", hidden);
  }
  return broken;
}

function whyWrong(session: SimulatedSession | undefined, total: SimulatedOrder["total"] | null): string | null {
  if (!session) return "was marked paid by a payment that has no session";
  if (session.status !== "completed") return `was marked paid while its session was ${session.status}`;
  const paid = { minor: session.paidAmount ?? session.amount, currency: session.currency };
  return total && sameMoney(paid, total) ? null : `${paid.minor} ${paid.currency} paid for another total`;
}

function isGood({ status, paidAmount, amount, currency }: SimulatedSession, order: SimulatedOrder): boolean {
  return status === "completed" && paidAmount === null && sameMoney({ minor: amount, currency }, order.total);
}

const SEEN: readonly Payment["state"][] = ["recorded", "duplicate", "refunding", "refunded"];

// Money that arrived is on the order, on its way back, or visible with a reason.
function whyHidden(payment: Payment, session: SimulatedSession | undefined): string | null {
  if (session?.status !== "completed") return null;
  if (SEEN.includes(payment.state)) return null;
  if (payment.state === "review" && payment.finding) return null;
  return `payment ${payment.id} is ${payment.state} although its session is completed`;
}

// Never more goes back than came, and never because an answer was lost: each click of one amount gave back once.
function checkRefunds({ service }: SimulationWorld): Broken[] {
  return [...service.sessions.values()].flatMap((session): Broken[] => {
    const own = [...service.refunds.values()].filter(({ transactionId }) => transactionId.endsWith(session.id));
    const given = own.reduce((sum, { wireAmount }) => sum + wireAmount, 0);
    const most = session.paidAmount ?? session.amount;
    return given > most ? [{ invariant: "I1", why: `${given} of ${most} was given back` }] : [];
  });
}

// One creation and ten scheduled reads, the shopper's and the events' looks, for each payment; retries under faults apart.
function checkBudget({ service }: SimulationWorld): Broken[] {
  const sessions = service.sessions.size;
  const most = 400 * Math.max(1, sessions);
  return service.calls.reads > most
    ? [{ invariant: "I7", why: `${service.calls.reads} reads for ${sessions} sessions` }]
    : [];
}
