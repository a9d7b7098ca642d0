import { limits, type Payment } from "@tillkit/core";
import { type Change, formatJobError, type Job } from "@tillkit/core/ledger";
import { happens, randomMs } from "./hazards/random-choice.ts";
import { readMoneyBefore, recordMoney } from "./observed-money.ts";
import {
  addHistory,
  areFaultsActive,
  increment,
  type SimulatedLedger,
  type SimulationWorld,
  wakeWorker,
} from "./simulation-world.ts";
import { type Method, withMethods } from "./with-methods.ts";

/**
 * The ledger of the simulated processes: sometimes slow, sometimes failing before or after a call took effect. It also records
 * the facts that the invariants need: state changes of payments, dead-letter jobs and repeated work.
 */
export function withLedgerFaults(world: SimulationWorld, ledger: SimulatedLedger): SimulatedLedger {
  return withMethods(observeLedger(world, ledger), (method) => withFaults(world, method));
}

function withFaults(world: SimulationWorld, method: Method): Method {
  return (...given) => {
    const { latencyMs, fails } = world.hazards.ledger;
    // Even a sleep of zero would change the sequence of events.
    if (latencyMs === 0 && fails === 0) return method(...given);
    return callWithFaults(world, () => method(...given));
  };
}

/**
 * The ledger of one process that sometimes freezes for longer than a lease. During a freeze, all calls of the process wait, also
 * calls that would renew a lease.
 */
export function withFreezes(world: SimulationWorld, ledger: SimulatedLedger): SimulatedLedger {
  const { clock, hazardRandom } = world;
  // Read the probability at each call, because the hazards end with the fault period.
  const freezeProbability = () => world.hazards.ledger.freezes;
  let frozenUntil = 0;
  async function freezeAtRandom(): Promise<void> {
    if (happens(hazardRandom, freezeProbability())) {
      const ms = limits.orderLeaseMs + randomMs(hazardRandom, limits.jobLeaseMs);
      frozenUntil = Math.max(frozenUntil, clock.now() + ms);
    }
    while (clock.now() < frozenUntil) await clock.sleep(frozenUntil - clock.now());
  }
  // Hazards end but never begin.
  if (freezeProbability() === 0) return ledger;
  return withMethods(ledger, (method) => (...given) => {
    if (freezeProbability() === 0) return method(...given);
    return beforeRestore(world, freezeAtRandom).then(() => method(...given));
  });
}

// A request that was on its way when a backup replaced the ledger never reaches the restored ledger.
async function beforeRestore(world: SimulationWorld, wait: () => Promise<void>): Promise<void> {
  const { restoredAt } = world;
  await wait();
  if (world.restoredAt !== restoredAt) throw new Error("The connection to the database was lost.");
}

async function callWithFaults(world: SimulationWorld, call: () => Promise<unknown>): Promise<unknown> {
  const { clock, random, hazards } = world;
  const { latencyMs, fails } = hazards.ledger;
  await beforeRestore(world, () => clock.sleep(randomMs(random, latencyMs)));
  const fraction = random.fraction();
  // Half of the failing calls fail before they take effect, the other half afterwards.
  if (fraction < fails / 2) throw new Error("The database did not answer.");
  const answer = await call();
  if (fraction < fails) throw new Error("The connection to the database was lost after the call took effect.");
  return answer;
}

function observeLedger(world: SimulationWorld, ledger: SimulatedLedger): SimulatedLedger {
  const jobs = new Map<string, Job>();
  return {
    ...ledger,
    async commit(change) {
      const readMoney = change.refunds ? await readMoneyBefore(world, change) : null;
      const answer = await ledger.commit(change);
      if (answer === "done") recordChange(world, change, jobs);
      if (answer === "done") recordMoney(world, change, readMoney);
      else increment(world.tallies.retries, change.payment?.next.id ?? "");
      return answer;
    },
    async claim(request) {
      const claimed = await ledger.claim(request);
      for (const job of claimed) {
        jobs.set(job.id, job);
        if (job.attempts > 1) increment(world.tallies.retries, job.paymentId ?? "");
      }
      return claimed;
    },
    async receive(rows) {
      await ledger.receive(rows);
      wakeWorker(world);
    },
  };
}

function recordChange(
  world: SimulationWorld,
  { payment, jobs: newJobs = [], retried = [] }: Change,
  jobs: ReadonlyMap<string, Job>,
): void {
  if (payment) recordStateChange(world, payment.next);
  for (const { id, dueAt, error } of retried) {
    const isDeadLetter = dueAt === null;
    const { kind = "", paymentId = null } = jobs.get(id) ?? {};
    if (isDeadLetter) world.deadJobs.push({ kind, paymentId, reason: formatJobError(error) });
  }
  // A shop that refuses us, or does not answer, costs one more read of a session whose payment has not changed.
  const postponed = payment ? [] : newJobs.filter(({ kind }) => kind === "confirm");
  if (areFaultsActive(world)) for (const { paymentId } of postponed) increment(world.tallies.retries, paymentId ?? "");
  if (newJobs.length > 0) wakeWorker(world);
}

function recordStateChange(world: SimulationWorld, { id, state }: Payment): void {
  const before = world.knownStates.get(id);
  world.knownStates.set(id, state);
  if (before === undefined || before === state) return;
  world.stateChanges.push({ paymentId: id, from: before, to: state, at: world.clock.now() });
  addHistory(world, `payment ${id}: ${before} → ${state}`);
}
