import { amountPaid, type Ledger, type Money, type Payment } from "@tillkit/core";
import { allPages } from "@tillkit/runtime";
import { type ExportQuery, RECEIVED } from "./export-payments.ts";
import type { Fees } from "./fees.ts";

/** The payments of a period in one currency, in minor units: as this ledger knows them and as the service reports them. */
export type Settlement = {
  readonly currency: string;
  readonly payments: number;
  /** Payments whose transaction the service reports with all amounts. Only these are compared. */
  readonly compared: number;
  readonly ours: SettledAmounts;
  readonly service: SettledAmounts;
  readonly fee: number;
};

/** `net` is what remains after fees and refunds. */
export type SettledAmounts = { readonly gross: number; readonly refunded: number; readonly net: number };

/**
 * Adds up the received payments of a period, each with its refunds to this day, next to the service's own figures of the same
 * transactions. Null when there are more than `maxPayments` payments, which would need too many calls to the service.
 */
export async function settlementOf(
  ledger: Ledger,
  fees: Fees,
  query: ExportQuery,
  maxPayments: number,
): Promise<readonly Settlement[] | null> {
  const sums = new Map<string, Settlement>();
  let count = 0;
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, states: RECEIVED, ...page }))) {
    count += payments.length;
    if (count > maxPayments) return null;
    for (const settled of await settledPayments(ledger, fees, payments)) addPayment(sums, settled);
  }
  return [...sums.values()];
}

/** A payment with its completed refunds, and what the service reports of it. */
export type SettledPayment = {
  readonly payment: Payment;
  readonly refunded: number;
  readonly reported: Reported | undefined;
};

/** Reads the refunds and the service's amounts of one page of payments. */
export async function settledPayments(
  ledger: Ledger,
  fees: Fees,
  payments: readonly Payment[],
): Promise<readonly SettledPayment[]> {
  const amounts = await fees(payments);
  return await Promise.all(
    payments.map(async (payment) => {
      const completed = (await ledger.refunds(payment.id)).filter(({ state }) => state === "completed");
      return { payment, refunded: sumOf(completed.map(({ amount }) => amount)), reported: amounts.get(payment.id) };
    }),
  );
}

type Reported = {
  readonly gross?: number | undefined;
  readonly fee?: number | undefined;
  readonly net?: number | undefined;
  readonly refunded?: number | undefined;
};

/** Adds a payment to the settlement of its currency. */
export function addPayment(sums: Map<string, Settlement>, { payment, refunded, reported }: SettledPayment): void {
  const { minor: gross, currency } = amountPaid(payment);
  const settlement = sums.get(currency) ?? emptySettlement(currency);
  sums.set(currency, plusPayment(settlement, { gross, refunded }, reported));
}

function plusPayment(
  settlement: Settlement,
  { gross, refunded }: Omit<SettledAmounts, "net">,
  reported: Reported | undefined,
): Settlement {
  const payments = settlement.payments + 1;
  const { gross: serviceGross, fee, net, refunded: serviceRefunded } = reported ?? {};
  if (serviceGross === undefined || fee === undefined || net === undefined || serviceRefunded === undefined)
    return { ...settlement, payments };
  return {
    currency: settlement.currency,
    payments,
    compared: settlement.compared + 1,
    fee: settlement.fee + fee,
    ours: plus(settlement.ours, { gross, refunded, net: gross - fee - refunded }),
    service: plus(settlement.service, { gross: serviceGross, refunded: serviceRefunded, net: net - serviceRefunded }),
  };
}

function plus(left: SettledAmounts, right: SettledAmounts): SettledAmounts {
  return { gross: left.gross + right.gross, refunded: left.refunded + right.refunded, net: left.net + right.net };
}

function emptySettlement(currency: string): Settlement {
  const nothing = { gross: 0, refunded: 0, net: 0 };
  return { currency, payments: 0, compared: 0, ours: nothing, service: nothing, fee: 0 };
}

function sumOf(amounts: readonly Money[]): number {
  return amounts.reduce((sum, { minor }) => sum + minor, 0);
}
