import { signWebhook } from "@tillkit/client/webhooks";
import { safeReason } from "@tillkit/core";
import type { StoreConfig } from "../config/config.ts";
import { endpointOf } from "../config/credentials.ts";
import { wooLimits } from "../limits.ts";
import { socketCode } from "../transport/trouble.ts";
import type { Desk } from "./desk.ts";

/**
 * Sends a signed delivery that is about nothing through the public address, as the service would: DNS, certificate, proxy and
 * firewall are all on its way. Null when it arrived, else why not. Asked again within ten seconds, it tells the last outcome.
 */
export function createRoundTrip({ config, clock }: Pick<Desk, "config" | "clock">) {
  const last = new Map<string, { at: number; outcome: Promise<string | null> }>();

  return function roundTrip(store: StoreConfig): Promise<string | null> {
    const known = last.get(store.id);
    if (known && clock.now() - known.at < wooLimits.roundTripEveryMs) return known.outcome;
    const outcome = deliver(`${config.publicUrl}/hooks/service/${endpointOf(store)}`, store, clock.now());
    last.set(store.id, { at: clock.now(), outcome });
    return outcome;
  };
}

async function deliver(url: string, { webhookSecrets }: StoreConfig, now: number): Promise<string | null> {
  const bytes = Buffer.from(JSON.stringify({ event: "TILLKIT_ROUND_TRIP", at: new Date(now).toISOString(), data: {} }));
  const [secret = ""] = webhookSecrets;
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
    return `${url} answered ${response.status}: nothing may redirect, change or challenge a webhook on its way.`;
  } catch (error) {
    const why = socketCode(error) ?? safeReason(error);
    return `${url} cannot be reached (${why}): it must lead to the running companion. Check DNS, certificate, proxy and firewall.`;
  }
}
