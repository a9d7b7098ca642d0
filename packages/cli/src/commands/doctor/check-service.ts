import { parseUrl, type ServiceClient, type ServiceWebhookEndpoint } from "@tillkit/client";
import { bad, type Check, good } from "./check.ts";
import { checkTransactions, refusedKey } from "./check-transactions.ts";

/** The service waits four seconds for the receiver. */
const TEST_MS = 10_000;

/**
 * Checks what the service knows: an active endpoint of the server's address, with every event that a checkout needs, whether the server
 * accepts a test event of the service, and whether the service names its transactions.
 * @param look `reading` sends no test event, so that nothing changes at the service or at the server
 */
export async function* checkService(
  client: ServiceClient,
  server: string,
  look: "reading" | "testing" = "testing",
): AsyncGenerator<Check & { readonly url?: string }> {
  try {
    yield* checkEndpoints(client, server, look);
    yield await checkTransactions(client);
  } catch (error) {
    yield refusedKey(error);
  }
}

async function* checkEndpoints(
  client: ServiceClient,
  server: string,
  look: "reading" | "testing",
): AsyncGenerator<Check & { readonly url?: string }> {
  const { CHECKOUT_EVENTS } = await import("@tillkit/client/webhooks");
  const endpoints = await client.webhooks.list().toArray({ limit: 1_000 });
  const ownEndpoints = endpoints.filter(({ url }) => url && parseUrl(url)?.origin === new URL(server).origin);
  if (ownEndpoints.length === 0)
    return yield bad(
      "endpoint",
      `The service has no webhook endpoint at ${new URL(server).origin}: run tillkit webhooks create --url <address of the webhook route>.`,
    );
  for (const endpoint of ownEndpoints) {
    const { url = "" } = endpoint;
    const mistake = settingsMistake(endpoint, CHECKOUT_EVENTS);
    yield { ...(mistake ?? good("endpoint", `${endpoint.id} delivers to ${url}.`)), url };
    if (look === "testing" && endpoint.isActive !== false && endpoint.id !== undefined)
      yield await checkDelivery(client, { id: endpoint.id, url });
  }
}

function settingsMistake(
  { id, url = "", isActive, authorizedEvents = [] }: ServiceWebhookEndpoint,
  needed: readonly string[],
): Check | null {
  const missing = needed.filter((event) => !authorizedEvents.includes(event));
  if (isActive === false) return bad("endpoint", `${id} at ${url}: it is off: run tillkit webhooks update ${id} --on.`);
  if (missing.length === 0) return null;
  return bad(
    "endpoint",
    `${id} at ${url}: it lacks ${missing.join(", ")}: add them with tillkit webhooks update ${id} --event.`,
  );
}

/** The service signs its test event with its own secret, so a secret that differs at the server is found here. */
async function checkDelivery(client: ServiceClient, { id, url }: { id: string; url: string }): Promise<Check> {
  const { testWebhookEndpoint } = await import("@tillkit/core/hosts");
  const { endpointProblem } = await import("@tillkit/runtime");
  const problem = endpointProblem(await testWebhookEndpoint(client, { id, deadlineMs: TEST_MS }), url);
  return problem === null
    ? good("delivery", `A test event of the service arrived at ${url}, and its signature was accepted.`)
    : bad("delivery", problem);
}
