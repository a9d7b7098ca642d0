import type { Clock, Engine, Ledger, Log, Random } from "@tillkit/core";
import type { Outbox } from "@tillkit/runtime";
import type { CheckoutServer, StoredCredentials } from "@tillkit/server";
import type { ShopifyConfig } from "../config/config.ts";
import type { Graphql } from "../graphql/graphql.ts";
import type { AccessTokens } from "../oauth/access-tokens.ts";
import type { OAuthApp } from "../oauth/token-request.ts";
import type { MoneyErrand } from "../offsite/money-errand.ts";
import type { PaymentSessions } from "../offsite/payment-sessions.ts";
import type { OwnerLines } from "../shop/owner-lines.ts";
import type { Shops } from "../shop/shops.ts";
import type { TextSigner } from "../signatures/signed-text.ts";
import type { HookErrand } from "../webhooks/hook-errand.ts";

/** What routes and errands of the app server share. */
export type Desk = {
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
  readonly lines: OwnerLines;
  readonly signer: TextSigner;
  readonly errands: { readonly money: Outbox<MoneyErrand>; readonly hooks: Outbox<HookErrand> };
};
