export type { AppContext, ConnectedStore } from "./app-context.ts";
export { checkOrderPayments } from "./calls/handle-order.ts";
export { greeting } from "./commands/greeting.ts";
export { type RecoverOptions, recoverBridged, type ServeOptions, serveBridged } from "./commands/serve-bridged.ts";
export { configMistakes } from "./config/config-mistakes.ts";
export { credentialsOf, environmentOf, hasWebhookSecrets } from "./config/credentials.ts";
export {
  type BridgedConfig,
  type ConfiguredStore,
  listedStores,
  programShape,
  type StoreConfig,
  selfServiceSchema,
  storeShape,
} from "./config/schema.ts";
export type { DecisionReason } from "./decisions/decision-reasons.ts";
export type { OrderMoney, ReadOrderMoney } from "./decisions/order-money.ts";
export type { CheckResult, Diagnosis } from "./doctor/diagnosis.ts";
export { type ExamineOptions, examineConnectedShops, unknownShop } from "./doctor/examine-connected-shops.ts";
export { examineKeyOfService } from "./doctor/examine-service.ts";
export { createWebhookRoundTrip, type WebhookRoundTrip } from "./doctor/webhook-round-trip.ts";
export { BRIDGE_PATH, PROTOCOL, SIGNATURE_INVALID } from "./names.ts";
export { type NoteMessages, noteMessages } from "./notes/note-messages.ts";
export { heldNote, noteMarker, type OrderNote, otherRefund, refundNote, shortfallNote } from "./notes/order-note.ts";
export { type BridgedOrder, isOrderId, toOrder } from "./orders/bridged-order.ts";
export { findByPlugin, type KeyOfOrder, nameForPlugin } from "./orders/find-by-plugin.ts";
export { listOrdersByPlugin, type OrderName, readOrderByPlugin } from "./orders/plugin-orders.ts";
export { isPairable, resolveStore, saveLinkSecret, unpairedOf, webhookSecretsOf } from "./pairing/pairings.ts";
export { type PayLink, payLinkUrl, verifyPayLink } from "./pay-link.ts";
export type { BridgedPlatform, PlatformWords } from "./platform.ts";
export {
  assertPluginReachable,
  closeOrderByPlugin,
  holdByPlugin,
  markPaidByPlugin,
  noteByPlugin,
  ORDER_GONE,
  type ReadOrder,
  recordRefundByPlugin,
  refundReference,
  showDecisionByPlugin,
  transactionReference,
} from "./plugin-writes.ts";
export { showRefundByPlugin } from "./refunds/show-refund.ts";
export type { ShopCalls } from "./self-service/self-service-shops.ts";
export type { ConnectHost, ServedPlatform } from "./served-platform.ts";
export { type BridgedServer, type BridgedServerOptions, createBridgedServer } from "./server/bridged-server.ts";
export { isSigned, type LinkSecrets, sign } from "./signature.ts";
export { type CallPurpose, CLOCK_TOLERANCE_SECONDS, type Purpose, signCall, verifyCall } from "./signed-call.ts";
export {
  type BridgedConnection,
  type BridgedStore,
  type BridgedStoreOptions,
  createBridgedStore,
  forOneCall,
} from "./store/bridged-store.ts";
export { shopperUrlOf } from "./store/shopper-url.ts";
export { startDeadline } from "./transport/deadline.ts";
export {
  createPluginRoutes,
  type PluginPlace,
  type PluginReply,
  type PluginRoutes,
} from "./transport/plugin-routes.ts";
export { errorCodeOf, readJson } from "./transport/read-json.ts";
export { sendRequest } from "./transport/send-request.ts";
export { type CallKind, connectionError, responseError, socketCode } from "./transport/store-errors.ts";
