import { createServiceClient } from "@tillkit/client";
import { codeOf } from "@tillkit/core";
import type { CredentialKey } from "@tillkit/core/ledger";
import type { AppContext } from "../app-context.ts";
import { serverLimits } from "../server-limits.ts";

/**
 * Removes the webhooks of a key at the service, which would go on sending to an address where nobody listens; all but the one with the id
 * `kept`. A key that is revoked already cannot remove them.
 */
export async function removeWebhook(
  { config, log }: AppContext,
  { apiKey, baseUrl, endpointId }: Pick<CredentialKey, "apiKey" | "baseUrl" | "endpointId">,
  kept?: string,
): Promise<void> {
  const url = `${config.publicUrl}/hooks/service/${endpointId}`;
  try {
    const { webhooks } = createServiceClient({ apiKey, baseUrl, deadlineMs: serverLimits.keyTrialMs });
    for await (const endpoint of webhooks.list()) {
      const { id = kept } = endpoint;
      if (endpoint.url === url && id !== undefined && id !== kept) await webhooks.delete(id);
    }
  } catch (error) {
    log.warn("webhook_not_removed", { endpointId, code: codeOf(error) });
  }
}
