export { balanceOf, financialStatus, type OrderTransaction, type ShopOrder } from "./admin/shop-orders.ts";
export {
  readShopifySchema,
  SHOPIFY_VERSIONS,
  type ShopifyApi,
  type ShopifyVersion,
} from "./graphql/schemas.ts";
export type { AccessTokens, TokenResponse } from "./oauth/access-tokens.ts";
export type { InstallationResult } from "./oauth/follow-installation.ts";
export { signQuery, signSessionToken, signWebhookBody } from "./oauth/signatures.ts";
export type { ModificationSession } from "./payments/modification-sessions.ts";
export type { PaymentSession, PaymentSessionState, ShopCheckout } from "./payments/payment-sessions.ts";
export {
  type CertificateAuthority,
  createCertificateAuthority,
  type IssuedCertificate,
} from "./senders/certificates.ts";
export type { ConnectedApp } from "./senders/connected-app.ts";
export type { SenderIdentity, SessionResponse } from "./senders/session-sender.ts";
export type { WebhookDelivery, WebhookSender } from "./senders/webhook-sender.ts";
export type { ShopOptions } from "./shop/create-simulated-shop.ts";
export { type LocalShop, openLocalShop } from "./shop/local-shop.ts";
export type { ShopifyFault, ShopifyFaults } from "./shop/shopify-faults.ts";
export type { SimulatedShop } from "./shop/simulated-shop.ts";
export { findShopViolations, type ShopCall, type ShopEffect, type ShopRecord } from "./shop-record.ts";
export {
  createShopifySimulator,
  type ShopifySimulator,
  type ShopifySimulatorOptions,
} from "./shopify-simulator.ts";
