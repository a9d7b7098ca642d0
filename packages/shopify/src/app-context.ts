import type { Clock, Engine, Ledger, Log, Random } from "@tillkit/core";
import type { CheckoutServer, StoredCredentials } from "@tillkit/server";
import type { ShopifyConfig } from "./config/config-schema.ts";
import type { OwnerNotices } from "./records/owner-notices.ts";
import type { PaymentSessions } from "./records/payment-sessions.ts";
import type { RefundSearches } from "./records/refund-searches.ts";
import type { SessionCustomers } from "./records/session-customers.ts";
import type { Shops } from "./records/shops.ts";
import type { AccessTokens } from "./shopify-api/access-tokens.ts";
import type { Graphql } from "./shopify-api/graphql.ts";
import type { OAuthApp } from "./shopify-api/request-token.ts";
import type { TokenSigner } from "./signatures/token-signer.ts";

/** What the routes and tasks of the app server share. `app/create-context.ts` builds it. */
export type AppContext = {
  readonly config: ShopifyConfig;
  readonly checkout: CheckoutServer;
  readonly engine: Engine;
  readonly credentials: StoredCredentials;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly shops: Shops;
  readonly oauth: OAuthApp;
  readonly tokens: AccessTokens;
  readonly graphql: Graphql;
  readonly sessions: PaymentSessions;
  readonly customers: SessionCustomers;
  readonly notices: OwnerNotices;
  readonly refundSearches: RefundSearches;
  readonly signer: TokenSigner;
};
