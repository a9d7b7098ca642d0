import {
  archiveHistory,
  createFees,
  createInvitations,
  exportPayments,
  findCustomer,
  findCustomerIds,
  listOrders,
  noFees,
  parseCustomer,
  pruneAll,
} from "@tillkit/server";

/**
 * What commands need of the server: bookkeeping, privacy, retention and invitations. They load it from here instead of loading the whole
 * package, because the build then leaves out the web server and everything that only the web server needs.
 */
export const ledgerData = {
  archiveHistory,
  createFees,
  createInvitations,
  exportPayments,
  findCustomer,
  findCustomerIds,
  listOrders,
  noFees,
  parseCustomer,
  pruneAll,
};
