import { type Dispute, equationsOf, isCertain, type Refund } from "@tillkit/core";
import { MINUTE, SECOND } from "./hazards/durations.ts";
import { happens, pick, randomMs } from "./hazards/random-choice.ts";
import {
  addHistory,
  anyAlive,
  increment,
  type SimulatedOrder,
  type SimulationWorld,
  withTimeout,
} from "./simulation-world.ts";

const PERSON_TIMEOUT_MS = 40 * SECOND;
const PERSON = "owner";

/**
 * Simulates the person on the payment's page, who decides what the engine leaves to a person: which transaction paid, a refund over a
 * dispute, the refund of a second transaction, and a dispute that ended without an outcome.
 */
export async function simulatePerson(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { clock, personRandom, hazards, activeUntil } = world;
  const { persons } = hazards.money;
  while (persons > 0 && clock.now() < activeUntil) {
    await clock.sleep(randomMs(personRandom, 15 * MINUTE));
    if (!happens(personRandom, persons)) continue;
    const paymentId = pick(personRandom, [order.payments[0], ...order.payments]);
    const act = pick(personRandom, [nameTransaction, refundOverDispute, refundSurplus, decideDispute]);
    if (paymentId === undefined) continue;
    await act(world, order, paymentId).catch(() => undefined);
  }
}

/** A person who looks at the candidates recognizes the right one, and decides nothing where it is missing. */
async function nameTransaction(world: SimulationWorld, _order: SimulatedOrder, paymentId: string): Promise<void> {
  const candidates = await call(world, paymentId, (app) => app.transactionCandidates(paymentId));
  const own = world.service.sessionOf(paymentId)?.transactions ?? [];
  const right = candidates?.find(({ id }) => own.some((transaction) => transaction.id === id));
  if (!right) return;
  addHistory(world, `payment ${paymentId}: a person says that ${right.id} paid it`);
  await call(world, paymentId, (app) => app.nameTransaction({ paymentId, transactionId: right.id, by: PERSON }));
}

/** The person confirms the disputed sum that the page shows, which may have changed since. */
async function refundOverDispute(world: SimulationWorld, order: SimulatedOrder, paymentId: string): Promise<void> {
  const seen = await equationsShown(world, paymentId);
  const disputed = seen?.[0].disputed;
  if (!disputed || disputed.minor === 0) return;
  await refund(world, order, { paymentId, amount: { ...disputed, minor: 100 }, overDispute: disputed });
}

/** The shopper paid the session twice, and gets the second payment back. */
async function refundSurplus(world: SimulationWorld, order: SimulatedOrder, paymentId: string): Promise<void> {
  const [, second] = (await equationsShown(world, paymentId)) ?? [];
  if (!second || second.transactionId === null || second.available.minor <= 0) return;
  await refund(world, order, { paymentId, amount: second.available, transactionId: second.transactionId });
}

async function decideDispute(world: SimulationWorld, _order: SimulatedOrder, paymentId: string): Promise<void> {
  const ended = (await world.ledger.disputes(paymentId)).find(isWithoutOutcome);
  if (!ended) return;
  const outcome = pick(world.personRandom, ["won", "lost"] as const);
  addHistory(world, `payment ${paymentId}: a person says that its dispute is ${outcome}`);
  const decision = { paymentId, disputeId: ended.id, outcome, by: PERSON };
  await call(world, paymentId, (app) => app.decideDispute(decision));
}

function isWithoutOutcome({ status, outcome }: Dispute): boolean {
  return status !== "pending" && outcome === null;
}

async function equationsShown({ ledger }: SimulationWorld, paymentId: string) {
  const payment = await ledger.find({ id: paymentId });
  if (!payment) return null;
  const [transactions, refunds, disputes] = await Promise.all([
    ledger.transactions(paymentId),
    ledger.refunds(paymentId),
    ledger.disputes(paymentId),
  ]);
  return transactions.some(isCertain) ? equationsOf(payment, { transactions, refunds, disputes }) : null;
}

type PersonalRefund = Pick<Refund, "paymentId" | "amount"> & {
  readonly overDispute?: Refund["amount"];
  readonly transactionId?: string;
};

async function refund(world: SimulationWorld, order: SimulatedOrder, request: PersonalRefund): Promise<void> {
  const { clock, decisions, moneyFacts, personRandom } = world;
  const { paymentId, amount, overDispute, transactionId = "" } = request;
  const key = `${paymentId} ${transactionId} ${amount.minor} of a person ${clock.now()}`;
  const subject = `${amount.minor} of payment ${paymentId} ${transactionId} by a person`;
  decisions.push({ subject, paymentId, shownPaymentId: null, keys: [key], origin: "tillkit" });
  if (overDispute) moneyFacts.confirmations.push({ key, disputed: overDispute });
  for (let click = 0; click < 2; click += 1) {
    const answer = await call(world, paymentId, (app) =>
      app.refund({ ...request, key, origin: "tillkit", by: PERSON, recordedRefunds: [...order.shopRefundIds] }),
    );
    addHistory(world, `payment ${paymentId}: a person refunds ${amount.minor} → ${answer?.state ?? "no answer"}`);
    await clock.sleep(randomMs(personRandom, MINUTE));
  }
}

async function call<Answer>(
  world: SimulationWorld,
  paymentId: string,
  request: (app: SimulationWorld["processes"][number]["app"]) => Promise<Answer>,
): Promise<Answer | null> {
  const process = anyAlive(world);
  increment(world.tallies.signals, paymentId);
  if (!process) return null;
  return await withTimeout(world, PERSON_TIMEOUT_MS, request(process.app)).catch(() => null);
}
