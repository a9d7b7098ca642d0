import { signWebhook } from "@tillkit/client/webhooks";
import { type Clock, safeReason } from "@tillkit/core";
import { endpointOf } from "../config/credentials.ts";
import type { ConfiguredStore, WooCommerceConfig } from "../config/schema.ts";
import { wooLimits } from "../limits.ts";
import { socketCode } from "../transport/store-errors.ts";

export type WebhookRoundTrip = (store: ConfiguredStore, secrets: readonly string[]) => Promise<string | null>;

/**
 * Sends a signed test webhook through the public address as the service would, and so tests DNS, certificate, proxy and
 * firewall. Returns null if the webhook arrived, else the reason. Repeated calls within ten seconds return the last result.
 */
export function createWebhookRoundTrip({
  config,
  clock,
}: {
  readonly config: Pick<WooCommerceConfig, "publicUrl">;
  readonly clock: Clock;
}): WebhookRoundTrip {
  const results = new Map<string, { at: number; problem: Promise<string | null> }>();

  return function roundTrip(store, secrets) {
    const last = results.get(store.id);
    if (last && clock.now() - last.at < wooLimits.roundTripIntervalMs) return last.problem;
    const problem = deliver(`${config.publicUrl}/hooks/service/${endpointOf(store)}`, secrets, clock.now());
    results.set(store.id, { at: clock.now(), problem });
    return problem;
  };
}

async function deliver(url: string, [secret = ""]: readonly string[], now: number): Promise<string | null> {
  const bytes = Buffer.from(JSON.stringify({ event: "TILLKIT_ROUND_TRIP", at: new Date(now).toISOString(), data: {} }));
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Service-Signature": signWebhook(bytes, secret) },
      body: bytes,
      redirect: "manual",
      signal: AbortSignal.timeout(wooLimits.roundTripMs),
    });
    await response.body?.cancel();
    if (response.status === 200) return null;
    return `${url} answered ${response.status}: proxies and firewalls must not redirect, change or challenge a webhook.`;
  } catch (error) {
    const reason = socketCode(error) ?? safeReason(error);
    return `${url} cannot be reached (${reason}): it must lead to the running checkout server. Check DNS, certificate, proxy and firewall.`;
  }
}
