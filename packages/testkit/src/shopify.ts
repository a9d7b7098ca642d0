export { balanceOf, financialStatus, type OrderTransaction, type ShopOrder } from "./shopify/admin/shop-orders.ts";
export {
  readShopifySchema,
  SHOPIFY_VERSIONS,
  type ShopifyApi,
  type ShopifyVersion,
} from "./shopify/graphql/schemas.ts";
export type { AccessTokens, TokenResponse } from "./shopify/oauth/access-tokens.ts";
export type { InstallationResult } from "./shopify/oauth/follow-installation.ts";
export { signQuery, signSessionToken, signWebhookBody } from "./shopify/oauth/signatures.ts";
export type { ModificationSession } from "./shopify/payments/modification-sessions.ts";
export type { PaymentSession, PaymentSessionState, ShopCheckout } from "./shopify/payments/payment-sessions.ts";
export {
  type CertificateAuthority,
  createCertificateAuthority,
  type IssuedCertificate,
} from "./shopify/senders/certificates.ts";
export type { ConnectedApp } from "./shopify/senders/connected-app.ts";
export type { SenderIdentity, SessionResponse } from "./shopify/senders/session-sender.ts";
export type { WebhookDelivery, WebhookSender } from "./shopify/senders/webhook-sender.ts";
export type { ShopOptions } from "./shopify/shop/create-simulated-shop.ts";
export type { ShopifyFault, ShopifyFaults } from "./shopify/shop/shopify-faults.ts";
export type { SimulatedShop } from "./shopify/shop/simulated-shop.ts";
export { findShopViolations, type ShopCall, type ShopEffect, type ShopRecord } from "./shopify/shop-record.ts";
export {
  createShopifySimulator,
  type ShopifySimulator,
  type ShopifySimulatorOptions,
} from "./shopify/shopify-simulator.ts";
