import type { Clock } from "@tillkit/core";
import type { InstallationResult } from "../oauth/follow-installation.ts";
import type { ShopifyApp } from "../oauth/token-endpoint.ts";
import type { ConnectedApp } from "../senders/connected-app.ts";
import type { SessionSender } from "../senders/session-sender.ts";
import type { WebhookSender } from "../senders/webhook-sender.ts";
import type { RandomBytes } from "../shop-id.ts";

/** The parts of the simulator that a shop uses. */
export type ShopEnvironment = {
  readonly domain: string;
  readonly origin: string;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly app: ShopifyApp;
  readonly webhooks: WebhookSender;
  connection(): { readonly app: ConnectedApp; readonly sender: SessionSender };
  followInstallation(installUrl: string): Promise<InstallationResult>;
};
