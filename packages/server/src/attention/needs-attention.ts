import {
  type Dispute,
  type Engine,
  type Environment,
  explainFinding,
  explainPayment,
  formatMoney,
  type Language,
  type Payment,
  type PaymentState,
} from "@tillkit/core";
import { explainDispute, isAcceptable } from "@tillkit/core/back-office";
import type { LedgerView, StoredJob } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";
import { moneyTexts } from "../operators/texts/money-texts.ts";
import type { AdviceCode } from "../operators/texts/operator-texts.ts";
import { findFailingJobs } from "./failing-jobs.ts";
import { findUnbalancedPayments, type UnbalancedPayment } from "./unbalanced-payments.ts";

export type StuckPayment = {
  readonly payment: Payment;
  readonly headline: string;
  /** The reason; null when the headline contains it. */
  readonly reason: string | null;
  readonly advice: AdviceCode;
};

/** `jobs` are dead-letter jobs; `failing` are jobs that are retried and have failed for several minutes. */
export type NeedsAttention = {
  readonly payments: readonly StuckPayment[];
  readonly jobs: readonly StoredJob[];
  readonly failing: readonly StoredJob[];
};

/** What a person must check of one environment, newest first: payments whose money does not balance, held payments, duplicate payments, payments that the store does not show, disputes that ended without an outcome, failed jobs. */
export async function findNeedsAttention(
  engine: Engine,
  ledger: LedgerView,
  { language, mode: environment }: { readonly language: Language; readonly mode: Environment },
): Promise<NeedsAttention> {
  const createdBefore = { until: engine.clock.now() - serverLimits.stuckAfterMs, environment };
  const [held, duplicate, verified, unbalanced, ended, dead, failing] = await Promise.all([
    newestPayments(ledger, ["review"], { environment }),
    newestPayments(ledger, ["duplicate"], { environment }),
    newestPayments(ledger, ["verified"], createdBefore),
    findUnbalancedPayments(ledger),
    endedDisputes(ledger, environment),
    ledger.listJobs({ dead: true, limit: serverLimits.rowsPerOverview }),
    findFailingJobs(ledger),
  ]);
  const payments = [...held, ...duplicate, ...verified];
  const items = await Promise.all(payments.map((payment) => explainStuck(engine, payment, language)));
  const ofEnvironment = unbalanced.rows.filter(({ payment }) => payment.environment === environment);
  const unbalancedItems = await Promise.all(
    ofEnvironment.slice(0, serverLimits.rowsPerOverview).map((row) => explainUnbalanced(engine, row, language)),
  );
  const endedItems = await Promise.all(ended.map((row) => explainEnded(engine, row, language)));
  return {
    payments: [...unbalancedItems, ...endedItems, ...items],
    jobs: dead.rows,
    failing: failing.jobs.slice(0, serverLimits.rowsPerOverview),
  };
}

async function newestPayments(
  ledger: LedgerView,
  states: readonly PaymentState[],
  filter: { until?: number; environment: Environment },
) {
  return (await ledger.listPayments({ states, limit: serverLimits.rowsPerOverview, ...filter })).rows;
}

type EndedDispute = { readonly payment: Payment; readonly dispute: Dispute };

/** Disputes of which only a person can say who won: the service has not. */
async function endedDisputes(ledger: LedgerView, environment: Environment): Promise<readonly EndedDispute[]> {
  const { rows } = await ledger.listDisputes({ open: false, environment, limit: serverLimits.maxAlertRows });
  const ended = rows.filter(({ outcome }) => outcome === null).slice(0, serverLimits.rowsPerOverview);
  const found = await ledger.paymentsWithMovements([...new Set(ended.map(({ paymentId }) => paymentId))]);
  return found.flatMap(({ payment }) =>
    ended.filter(({ paymentId }) => paymentId === payment.id).map((dispute) => ({ payment, dispute })),
  );
}

async function explainEnded(engine: Engine, row: EndedDispute, language: Language): Promise<StuckPayment> {
  const { payment, dispute } = row;
  const { headline } = await explainPayment(engine, { paymentId: payment.id }, language, "operator");
  const reason = explainDispute(dispute, language, { now: engine.clock.now() });
  return { payment, headline, reason, advice: "dispute_ended" };
}

async function explainUnbalanced(engine: Engine, row: UnbalancedPayment, language: Language): Promise<StuckPayment> {
  const { payment, kind } = row;
  const { headline } = await explainPayment(engine, { paymentId: payment.id }, language, "operator");
  const texts = moneyTexts[language];
  const [{ available }] = kind === "shortfall" ? [row.equation] : row.equations;
  const amount = formatMoney(available, language);
  const reason = kind === "shortfall" ? `${texts.shortfall} ${amount}` : texts.surplus(amount);
  return { payment, headline, reason, advice: kind };
}

async function explainStuck(engine: Engine, payment: Payment, language: Language): Promise<StuckPayment> {
  const { headline, entries } = await explainPayment(engine, { paymentId: payment.id }, language, "operator");
  if (payment.state === "review") {
    const { finding } = payment;
    const reason = finding && explainFinding(finding, language, "operator");
    return { payment, headline, reason, advice: isAcceptable(finding) ? "acceptable" : "not_acceptable" };
  }
  if (payment.state === "duplicate") return { payment, headline, reason: null, advice: "duplicate" };
  return { payment, headline, reason: entries.at(-1)?.text ?? null, advice: "store_not_updated" };
}
