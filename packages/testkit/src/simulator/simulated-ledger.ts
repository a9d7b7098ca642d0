import type { Change, Job } from "@tillkit/core";
import { upTo } from "./chance.ts";
import { addTo, note, ring, type SimulatedLedger, type SimulationWorld } from "./simulation-world.ts";

type Method = (...given: never[]) => Promise<unknown>;

/**
 * The ledger as our processes reach it: slow at times, failing at times before or after it did what it was asked. On the way
 * it notes what the invariants want to know: each state that a payment went through, parked work, work that was repeated.
 */
export function reachLedger(world: SimulationWorld, ledger: SimulatedLedger): SimulatedLedger {
  const watched = watch(world, ledger);
  const reached = Object.entries(watched).map(([name, value]) => [
    name,
    typeof value === "function" ? onTheWay(world, value as Method) : value,
  ]);
  return Object.fromEntries(reached) as SimulatedLedger;
}

function onTheWay(world: SimulationWorld, method: Method): Method {
  return async (...given) => {
    const { latencyMs, fails } = world.hazards.ledger;
    if (latencyMs > 0) await world.clock.sleep(upTo(world.random, latencyMs));
    const fate = fails > 0 ? world.random.fraction() : 1;
    if (fate < fails / 2) throw new Error("The database did not answer.");
    const answer = await method(...given);
    if (fate < fails) throw new Error("The database was lost after it had done it.");
    return answer;
  };
}

function watch(world: SimulationWorld, ledger: SimulatedLedger): SimulatedLedger {
  const jobs = new Map<string, Job>();
  return {
    ...ledger,
    async commit(change) {
      const before = change.payment ? await ledger.find({ id: change.payment.next.id }) : null;
      const answer = await ledger.commit(change);
      const paymentId = change.payment?.next.id ?? "";
      if (answer !== "done") addTo(world.tallies.retries, paymentId);
      else {
        if (before && change.payment && before.state !== change.payment.next.state) {
          const move = { paymentId, from: before.state, to: change.payment.next.state, at: world.clock.now() };
          world.moves.push(move);
          note(world, `payment ${paymentId}: ${move.from} → ${move.to}`);
        }
        noteParked(world, change, jobs);
        if ((change.jobs?.length ?? 0) > 0) ring(world);
      }
      return answer;
    },
    async claim(want) {
      const claimed = await ledger.claim(want);
      for (const job of claimed) {
        jobs.set(job.id, job);
        if (job.attempts > 1) addTo(world.tallies.retries, job.paymentId ?? "");
      }
      return claimed;
    },
    async receive(rows) {
      await ledger.receive(rows);
      ring(world);
    },
  };
}

function noteParked({ parked }: SimulationWorld, { retried = [] }: Change, jobs: ReadonlyMap<string, Job>): void {
  for (const { id, dueAt, error } of retried) {
    if (dueAt !== null) continue;
    const job = jobs.get(id);
    parked.push({ kind: job?.kind ?? "", paymentId: job?.paymentId ?? null, reason: error });
  }
}
