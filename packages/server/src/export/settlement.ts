import type { Environment } from "@tillkit/core";
import type { LedgerView } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";
import { type ExportQuery, RECEIVED } from "./export-payments.ts";
import type { Fees } from "./fees.ts";
import { netOf, type SettledTransaction, settledTransactions } from "./settled-transactions.ts";

/** The payments of a period in one currency and one environment, in minor units: as this ledger knows them and as the service reports them. */
export type Settlement = {
  readonly currency: string;
  /** The money of test payments is never added to real money. */
  readonly environment: Environment;
  readonly payments: number;
  /** Payments whose transaction the service reports with all amounts. Only these are compared. */
  readonly compared: number;
  readonly ours: SettledAmounts;
  readonly service: SettledAmounts;
  readonly fee: number;
  /** Open and lost disputes. The service's transactions do not show them, so both sides subtract the same amount. */
  readonly disputed: number;
};

/** `net` is what remains after fees, refunds and disputes. */
export type SettledAmounts = { readonly gross: number; readonly refunded: number; readonly net: number };

/**
 * Adds up the received payments of a period, each with its refunds and disputes to this day, next to the service's own figures of the
 * same transactions. Null when there are more than `maxPayments` payments, which would need too many calls to the service.
 */
export async function settlementOf(
  ledger: LedgerView,
  fees: Fees,
  query: ExportQuery,
  maxPayments: number,
): Promise<readonly Settlement[] | null> {
  const sums = new Map<string, Settlement>();
  let count = 0;
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, states: RECEIVED, ...page }))) {
    count += payments.length;
    if (count > maxPayments) return null;
    for (const settled of await settledTransactions(ledger, fees, payments)) addTransaction(sums, settled);
  }
  return [...sums.values()];
}

/** Adds a transaction to the settlement of its currency and environment. */
export function addTransaction(sums: Map<string, Settlement>, settled: SettledTransaction): void {
  const { currency } = settled.equation.received;
  const { environment } = settled.payment;
  const key = `${environment} ${currency}`;
  sums.set(key, plusTransaction(sums.get(key) ?? emptySettlement(currency, environment), settled));
}

function plusTransaction(settlement: Settlement, { equation, isFurther, reported }: SettledTransaction): Settlement {
  const payments = settlement.payments + (isFurther ? 0 : 1);
  const { gross, fee, net, refunded } = reported ?? {};
  if (gross === undefined || fee === undefined || net === undefined || refunded === undefined)
    return { ...settlement, payments };
  const { received, returned, disputed } = equation;
  const ours = { gross: received.minor, refunded: returned.minor, net: netOf(equation, fee) };
  const service = { gross, refunded, net: net - refunded - disputed.minor };
  return {
    currency: settlement.currency,
    environment: settlement.environment,
    payments,
    compared: settlement.compared + (isFurther ? 0 : 1),
    fee: settlement.fee + fee,
    disputed: settlement.disputed + disputed.minor,
    ours: plus(settlement.ours, ours),
    service: plus(settlement.service, service),
  };
}

function plus(left: SettledAmounts, right: SettledAmounts): SettledAmounts {
  return { gross: left.gross + right.gross, refunded: left.refunded + right.refunded, net: left.net + right.net };
}

function emptySettlement(currency: string, environment: Environment): Settlement {
  const nothing = { gross: 0, refunded: 0, net: 0 };
  return { currency, environment, payments: 0, compared: 0, ours: nothing, service: nothing, fee: 0, disputed: 0 };
}
