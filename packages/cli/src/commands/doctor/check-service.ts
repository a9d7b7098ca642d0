import { parseUrl, type ServiceClient } from "@tillkit/client";
import { bad, type Check, good } from "./check.ts";
import { checkTransactions, refusedKey } from "./check-transactions.ts";

/**
 * Checks what the service knows: an active endpoint of the server's address, with every event that a checkout needs, and whether it
 * names its transactions.
 */
export async function* checkService(
  client: ServiceClient,
  server: string,
): AsyncGenerator<Check & { readonly url?: string }> {
  try {
    yield* checkEndpoints(client, server);
    yield await checkTransactions(client);
  } catch (error) {
    yield refusedKey(error);
  }
}

async function* checkEndpoints(
  client: ServiceClient,
  server: string,
): AsyncGenerator<Check & { readonly url?: string }> {
  const { CHECKOUT_EVENTS } = await import("@tillkit/client/webhooks");
  const endpoints = await client.webhooks.list().toArray({ limit: 1_000 });
  const ownEndpoints = endpoints.filter(({ url }) => url && parseUrl(url)?.origin === new URL(server).origin);
  if (ownEndpoints.length === 0)
    return yield bad(
      "endpoint",
      `The service has no webhook endpoint at ${new URL(server).origin}: run tillkit webhooks create --url <address of the webhook route>.`,
    );
  for (const { id, url = "", isActive, authorizedEvents = [] } of ownEndpoints) {
    const missing = CHECKOUT_EVENTS.filter((event) => !authorizedEvents.includes(event));
    let check = good("endpoint", `${id} delivers to ${url}.`);
    if (isActive === false)
      check = bad("endpoint", `${id} at ${url}: it is off: run tillkit webhooks update ${id} --on.`);
    else if (missing.length > 0)
      check = bad(
        "endpoint",
        `${id} at ${url}: it lacks ${missing.join(", ")}: add them with tillkit webhooks update ${id} --event.`,
      );
    yield { ...check, url };
  }
}
