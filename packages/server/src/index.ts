export type { AlertWebhookOptions, EmailOptions } from "./alerts/channels.ts";
export { type BuyerPage, sendBuyerPage } from "./buyer/buyer-page.ts";
export type { CheckoutServerOptions } from "./checkout-options.ts";
export { type CheckoutServer, createCheckoutServer } from "./checkout-server.ts";
export type { Chore } from "./chores.ts";
export { createErrands, type ErrandsOptions } from "./errands/create-errands.ts";
export type { Errand, ErrandEnd, Errands, KeptErrand } from "./errands/errand.ts";
export { everyPage } from "./every-page.ts";
export { type ExportWant, exportPayments } from "./export/export-payments.ts";
export { createFees, type Fees, noFees, type PaidAmounts } from "./export/fees.ts";
export type { Health } from "./health.ts";
export { createJsonLog, type JsonLogOptions, type LogLevel } from "./logs/json-log.ts";
export type { OperatorOptions } from "./operator-options.ts";
export { type OwnerPage, sendOwnerPage } from "./owner/owner-page.ts";
export { type Html, html } from "./pages/html.ts";
export { pageLanguage } from "./pages/language.ts";
export { privateHeaders } from "./pages/page-headers.ts";
export { type NamedCustomer, readCustomer } from "./privacy/customer.ts";
export {
  type CustomerTrace,
  customerIdsOf,
  findCustomer,
  type ListCustomers,
  ordersOf,
} from "./privacy/find-customer.ts";
export { pruneAll } from "./prune-daily.ts";
export type { Readiness } from "./readiness.ts";
export { type Recovery, tellRecovery } from "./recovery.ts";
export { refuseUnreadable } from "./serve/refuse-unreadable.ts";
export { type Serving, serveUntilStopped } from "./serve/serve-until-stopped.ts";
export type { StoreDirectory } from "./store-directory.ts";
export type { StoredCredentials } from "./stored-credentials.ts";
