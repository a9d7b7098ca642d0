import { type Engine, type Environment, safeReason } from "@tillkit/core";
import { endpointProblem } from "@tillkit/runtime";
import { endpointOf } from "../config/credentials.ts";
import type { BridgedConfig, ConfiguredStore } from "../config/schema.ts";
import { serverLimits } from "../server-limits.ts";

export type WebhookRoundTrip = (store: ConfiguredStore, environment: Environment) => Promise<string | null>;

/**
 * Lets the service send a test webhook to the public address, and so tests its endpoint, DNS, certificate, proxy, firewall and the webhook
 * secret, which differs from the service's where this server alone would find nothing wrong. Returns null if the webhook arrived, else
 * the reason. Repeated calls within ten seconds return the last result.
 */
export function createWebhookRoundTrip({
  config,
  engine,
}: {
  readonly config: Pick<BridgedConfig, "publicUrl" | "stores">;
  readonly engine: Pick<Engine, "tenants" | "clock">;
}): WebhookRoundTrip {
  const results = new Map<string, { at: number; problem: Promise<string | null> }>();

  return function roundTrip(store, environment) {
    const now = engine.clock.now();
    const last = results.get(store.id);
    if (last && Math.abs(now - last.at) < serverLimits.roundTripIntervalMs) return last.problem;
    const url = `${config.publicUrl}/hooks/service/${endpointOf(store)}`;
    const isSelfService = config.stores === "self-service";
    const problem = testEndpoint(engine, { storeId: store.id, environment, url, isSelfService });
    results.set(store.id, { at: now, problem });
    return problem;
  };
}

type TestedEndpoint = {
  readonly storeId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly isSelfService: boolean;
};

/** Where owners connect their shops, nobody creates webhooks by hand. */
const CONNECT_AGAIN = "press the button of the plugin that connects the shop again, and enter the same key there";

async function testEndpoint(
  { tenants }: Pick<Engine, "tenants">,
  { storeId, environment, url, isSelfService }: TestedEndpoint,
): Promise<string | null> {
  try {
    const { id } = await tenants.credentialFor(storeId, environment);
    const service = await tenants.service(id);
    const tested = await service.testEndpoint?.({ url, deadlineMs: serverLimits.roundTripMs });
    const signature = `the server refused its signature: ${CONNECT_AGAIN}`;
    if (tested) return endpointProblem(tested, url, isSelfService ? { signature } : {});
    const advice = isSelfService
      ? CONNECT_AGAIN
      : "connect the shop again, or create it with tillkit webhooks create and put its secret into webhookSecrets";
    return `The service has no webhook endpoint at ${url}: ${advice}.`;
  } catch (error) {
    return `The service cannot be asked to send one. ${safeReason(error)}`;
  }
}
