export {
  type AlertWebhookOptions,
  type Channel,
  type ChannelMessage,
  createEmailChannel,
  createWebhookChannel,
  type EmailOptions,
} from "./alerts/channels.ts";
export { type CheckoutServer, createCheckoutServer } from "./checkout-server/checkout-server.ts";
export { csvLine } from "./export/csv.ts";
export { type ExportQuery, exportPayments } from "./export/export-payments.ts";
export { createFees, type Fees, noFees, type PaidAmounts } from "./export/fees.ts";
export { type AttemptLimit, type AttemptLimitOptions, createAttemptLimit } from "./http/attempt-limit.ts";
export { limitConnections } from "./http/limit-connections.ts";
export { formBodies, rawBodies } from "./http/read-bodies.ts";
export { refuseUnreadable } from "./http/refuse-unreadable.ts";
export { roleLines } from "./http/role-lines.ts";
export { type Serving, serveUntilStopped } from "./http/serve-until-stopped.ts";
export type { StoreOwner } from "./operators/login/sessions.ts";
export type { CheckoutServerOptions } from "./options/checkout-options.ts";
export type { OperatorOptions, SelfService } from "./options/operator-options.ts";
export { adminStyle } from "./pages/admin-style.ts";
export { withFrenchSpaces } from "./pages/french-spaces.ts";
export { type Html, html, render, verbatim } from "./pages/html.ts";
export { pageLanguage } from "./pages/language.ts";
export { type OwnerPage, sendOwnerPage } from "./pages/owner-page.ts";
export { privateHeaders } from "./pages/page-headers.ts";
export { type ArchivedHistory, archiveHistory } from "./privacy/archive-history.ts";
export { type Contact, type NamedCustomer, parseCustomer } from "./privacy/customer.ts";
export { type CustomerTrace, findCustomer, findCustomerIds, type ListCustomers } from "./privacy/find-customer.ts";
export { listOrders } from "./privacy/list-orders.ts";
export { pruneAll } from "./privacy/prune-task.ts";
export { type ShopperPage, sendShopperPage } from "./shopper/send-shopper-page.ts";
export type { StoreState } from "./store-state.ts";
export { hasUnfinishedPayments } from "./stores/has-unfinished-payments.ts";
export { createInvitations, type Invitations } from "./stores/invitations.ts";
export type { StoredCredentials } from "./stores/open-tenants.ts";
export { type CredentialRecovery, printRecovery } from "./stores/recover-stores.ts";
export type { StoreDirectory } from "./stores/store-directory.ts";
export {
  createStoreRegistry,
  isServed,
  type RegisteredStore,
  registeredEndpointId,
  type StoreRegistry,
  takesPayments,
} from "./stores/store-registry.ts";
