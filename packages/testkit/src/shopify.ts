export type { AccessTokens, TokenAnswer } from "./shopify/access-tokens.ts";
export {
  type CertificateAuthority,
  createCertificateAuthority,
  type IssuedCertificate,
} from "./shopify/certificates.ts";
export type { ConnectedApp } from "./shopify/connected-app.ts";
export type { InstallWalk } from "./shopify/install-walk.ts";
export type { MoneySession } from "./shopify/money-sessions.ts";
export type { PaymentSession, PaymentSessionState, ShopCheckout } from "./shopify/payment-sessions.ts";
export { readShopifySchema, SHOPIFY_VERSIONS, type ShopifyApi, type ShopifyVersion } from "./shopify/schemas.ts";
export type { SenderIdentity, SessionAnswer } from "./shopify/session-sender.ts";
export { balanceOf, financialStatus, type OrderTransaction, type ShopOrder } from "./shopify/shop-orders.ts";
export { brokenShopPromises, type ShopCall, type ShopEffect, type ShopRecord } from "./shopify/shop-record.ts";
export type { ShopifyFault, ShopifyFaults } from "./shopify/shopify-faults.ts";
export {
  createShopifySimulator,
  type ShopifySimulator,
  type ShopifySimulatorOptions,
} from "./shopify/shopify-simulator.ts";
export { signQuery, signSessionToken, signWebhookBody } from "./shopify/signatures.ts";
export type { ShopWish } from "./shopify/simulated-shop.ts";
export type { SimulatedShop } from "./shopify/simulated-shop-type.ts";
export type { WebhookDelivery, WebhookSender } from "./shopify/webhook-sender.ts";
