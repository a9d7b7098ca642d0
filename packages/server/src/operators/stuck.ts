import {
  type Engine,
  explainFinding,
  explainPayment,
  isAcceptable,
  type Language,
  type Ledger,
  type Payment,
  type PaymentState,
  type StoredJob,
} from "@tillkit/core";
import { failingWork } from "../failing-work.ts";
import { hostLimits } from "../limits.ts";
import type { AdviceCode } from "./words/words.ts";

export type StuckItem = {
  readonly payment: Payment;
  readonly headline: string;
  /** Why, in the words of its story; null when the headline says it all. */
  readonly reason: string | null;
  readonly advice: AdviceCode;
};

/** `failing`: work that goes on by itself and has failed for several minutes. */
export type Stuck = {
  readonly items: readonly StuckItem[];
  readonly jobs: readonly StoredJob[];
  readonly failing: readonly StoredJob[];
};

/** What a person has to look at, the newest of each kind: money that was held, orders paid twice, shops that are not told, parked work. */
export async function findStuck(engine: Engine, ledger: Ledger, language: Language): Promise<Stuck> {
  const untold = { until: engine.clock.now() - hostLimits.stuckMs };
  const [held, twice, verified, dead, failing] = await Promise.all([
    newest(ledger, ["review"]),
    newest(ledger, ["duplicate"]),
    newest(ledger, ["verified"], untold),
    ledger.listJobs({ dead: true, limit: hostLimits.overviewRows }),
    failingWork(ledger),
  ]);
  const payments = [...held, ...twice, ...verified];
  const items = await Promise.all(payments.map((payment) => tellStuck(engine, payment, language)));
  return { items, jobs: dead.rows, failing: failing.jobs.slice(0, hostLimits.overviewRows) };
}

async function newest(ledger: Ledger, states: readonly PaymentState[], more: { until?: number } = {}) {
  return (await ledger.listPayments({ states, limit: hostLimits.overviewRows, ...more })).rows;
}

async function tellStuck(engine: Engine, payment: Payment, language: Language): Promise<StuckItem> {
  const { headline, entries } = await explainPayment(engine, { paymentId: payment.id }, language);
  if (payment.state === "review") {
    const { finding } = payment;
    const reason = finding && explainFinding(finding, language);
    return { payment, headline, reason, advice: isAcceptable(finding) ? "acceptable" : "not_acceptable" };
  }
  if (payment.state === "duplicate") return { payment, headline, reason: null, advice: "duplicate" };
  return { payment, headline, reason: entries.at(-1)?.text ?? null, advice: "store_not_told" };
}
