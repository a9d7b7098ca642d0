import type { ServiceClient } from "@tillkit/client";
import { CheckoutError, codeOf, type Log } from "@tillkit/core";
import { variableOf } from "@tillkit/runtime";
import { pluginLimits } from "../limits.ts";

/**
 * Asks the service once at boot (GET /webhooks) whether it knows the key. A service that does not answer stops nothing: payments are
 * retried later.
 * @throws CheckoutError `configuration_invalid` when the service rejects the key
 */
export async function assertApiKey(
  client: Pick<ServiceClient, "webhooks">,
  { apiKey, baseUrl, log }: { readonly apiKey: string; readonly baseUrl: string; readonly log: Log },
): Promise<void> {
  try {
    for await (const _endpoint of client.webhooks.list({ deadlineMs: pluginLimits.apiKeyCheckMs })) break;
  } catch (error) {
    const code = codeOf(error);
    if (code !== "unauthorized") {
      log.warn("api_key.not_checked", { code });
      return;
    }
    const { host } = new URL(baseUrl);
    const name = variableOf(apiKey) ?? "Tillkit option apiKey";
    const message = `${name} is rejected by the service at ${host} (401): copy the secret key again from the service's dashboard, and check that baseUrl belongs to it.`;
    throw new CheckoutError("configuration_invalid", message);
  }
}
