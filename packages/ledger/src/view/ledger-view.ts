import type { LedgerView } from "@tillkit/core/ledger";
import type { Session } from "../database/schema.ts";
import { findTransactionDetails } from "../payments/transactions.ts";
import { countDeliveries, listDeliveries } from "./delivery-list.ts";
import { countDisputes, listDisputes } from "./dispute-list.ts";
import { countJobs, listJobs } from "./job-list.ts";
import { countPayments, listPayments } from "./payment-list.ts";
import type { Engine } from "./payment-search.ts";
import { paymentsOfSeveralTransactions, paymentsWithMovements } from "./payment-sums.ts";
import { listRefunds } from "./refund-list.ts";
import { paymentStatistics } from "./statistics.ts";

export function createLedgerView(session: Session, engine: Engine): LedgerView {
  return {
    countPayments: (query = {}) => countPayments(session, query),
    listPayments: (query) => listPayments(session, engine, query),
    transactionDetails: (paymentId) => findTransactionDetails(session, paymentId),
    paymentsWithMovements: (paymentIds) => paymentsWithMovements(session, paymentIds),
    paymentsOfSeveralTransactions: (query) => paymentsOfSeveralTransactions(session, query),
    listRefunds: (query) => listRefunds(session, query),
    paymentStatistics: (query) => paymentStatistics(session, engine, query),
    countJobs: (now) => countJobs(session, now),
    listJobs: (query) => listJobs(session, query),
    countDeliveries: (query) => countDeliveries(session, query),
    listDeliveries: (query) => listDeliveries(session, query),
    countDisputes: (query) => countDisputes(session, query),
    listDisputes: (query) => listDisputes(session, query),
  };
}
