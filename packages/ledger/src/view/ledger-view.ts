import type { LedgerView } from "@tillkit/core";
import type { Session } from "../database/schema.ts";
import { countDeliveries, listDeliveries } from "./delivery-list.ts";
import { countDisputes, listDisputes } from "./dispute-list.ts";
import { countJobs, listJobs } from "./job-list.ts";
import { countPayments, listPayments } from "./payment-list.ts";

export function createLedgerView(session: Session): LedgerView {
  return {
    countPayments: (query = {}) => countPayments(session, query),
    listPayments: (query) => listPayments(session, query),
    countJobs: (now) => countJobs(session, now),
    listJobs: (query) => listJobs(session, query),
    countDeliveries: () => countDeliveries(session),
    listDeliveries: (query) => listDeliveries(session, query),
    countDisputes: () => countDisputes(session),
    listDisputes: (query) => listDisputes(session, query),
  };
}
