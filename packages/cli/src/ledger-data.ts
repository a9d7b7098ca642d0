import {
  archiveHistory,
  createFees,
  exportPayments,
  findCustomer,
  findCustomerIds,
  listOrders,
  noFees,
  parseCustomer,
  pruneAll,
} from "@tillkit/server";

/**
 * What commands need of the server: bookkeeping, privacy and retention. They load it from here instead of loading the whole
 * package, because the build then leaves out the web server and everything that only the web server needs.
 */
export const ledgerData = {
  archiveHistory,
  createFees,
  exportPayments,
  findCustomer,
  findCustomerIds,
  listOrders,
  noFees,
  parseCustomer,
  pruneAll,
};
