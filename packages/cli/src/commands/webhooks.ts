import type { ServiceClient, ServiceWebhookEndpoint } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import type { Command } from "../command-line/command.ts";
import type { Terminal } from "../command-line/terminal.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { openService, serviceOptions } from "../options/service-option.ts";

export const webhooks: Command = {
  name: "webhooks",
  summary: "Register a webhook endpoint at the service and show its secret",
  positionals: ["create"],
  options: {
    url: {
      value: "address",
      description: "the address of the endpoint, for example https://shop.example/tillkit/webhooks/medusa",
    },
    ...serviceOptions("where the endpoint is registered"),
    event: {
      value: "name",
      description:
        "an event to deliver; repeat the option for several. The default is all payment, refund and dispute events",
    },
    rotate: { description: "create a new secret for an endpoint that is already registered" },
    json: { description: "print one line of JSON" },
  },
  example:
    "SERVICE_SECRET_KEY=svc_sk_test_… tillkit webhooks create --service https://api.service.example --url https://shop.example/tillkit/webhooks/medusa",
  async run(args, terminal) {
    const { positionals, values, lists, flags } = args;
    const [action] = positionals;
    if (action !== "create") throw new UsageError(`Unknown subcommand "${action}": use tillkit webhooks create.`);
    const url = values.get("url");
    if (url === undefined) throw new UsageError("The option --url <address> is required.");
    const client = await openService(args);
    if (client === null) throw new UsageError("The option --service <url> is required.");
    const events = lists.get("event") ?? CHECKOUT_EVENTS;
    const endpoint = await registerEndpoint(client, { url, events, rotate: flags.has("rotate") });
    printEndpoint(endpoint, flags.has("json"), terminal);
  },
};

type EndpointRequest = { readonly url: string; readonly events: readonly string[]; readonly rotate: boolean };

// Two endpoints with one address would receive every event twice, once signed with a secret that no server knows.
async function registerEndpoint(
  client: ServiceClient,
  { url, events, rotate }: EndpointRequest,
): Promise<ServiceWebhookEndpoint> {
  const existing = await findEndpoint(client, url);
  const authorized_events = events as (typeof CHECKOUT_EVENTS)[number][];
  if (existing?.id === undefined) return (await client.webhooks.create({ url, authorized_events })).data;
  if (!rotate) {
    throw new Error(
      `The endpoint ${existing.id} already has this address, and the service shows a secret only once: add --rotate to create a new secret.`,
    );
  }
  return (await client.webhooks.update(existing.id, { rotate_secret: true, is_active: true, authorized_events })).data;
}

async function findEndpoint(client: ServiceClient, url: string): Promise<ServiceWebhookEndpoint | null> {
  for await (const endpoint of client.webhooks.list()) if (endpoint.url === url) return endpoint;
  return null;
}

function printEndpoint(
  { id, url, environment, authorizedEvents, secret }: ServiceWebhookEndpoint,
  json: boolean,
  terminal: Terminal,
) {
  if (json) return terminal.log(JSON.stringify({ id, url, environment, events: authorizedEvents, secret }));
  terminal.log(`${id}  ${environment}  ${url}`);
  terminal.log(`Events: ${authorizedEvents?.join(", ")}.`);
  terminal.log(`Secret, shown only once:\n${secret}`);
}
