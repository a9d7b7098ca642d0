import type { ServiceClient, ServiceWebhookEndpoint } from "@tillkit/client";
import { CHECKOUT_EVENTS, type EventName } from "@tillkit/client/webhooks";
import type { Command } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { openRequiredService, requiredServiceOptions } from "../../options/service-option.ts";
import { parseEvents, printEndpoint } from "./endpoint-output.ts";

export const webhooksCreate: Command = {
  name: "webhooks create",
  summary: "Register a webhook endpoint at the service and show its secret",
  positionals: [],
  options: {
    url: {
      value: "address",
      description: "the address of the endpoint, for example https://shop.example/tillkit/webhooks/medusa",
    },
    event: {
      value: "name",
      description:
        "an event to deliver; repeat the option for several. The default is all payment, refund and dispute events",
    },
    rotate: { description: "create a new secret for an endpoint that is already registered" },
    ...requiredServiceOptions,
    json: { description: "print one line of JSON" },
  },
  example:
    "SERVICE_SECRET_KEY=… tillkit webhooks create --service https://api.service.example --url https://shop.example/tillkit/webhooks/medusa",
  async run(args, terminal) {
    const url = args.values.get("url");
    if (url === undefined) throw new UsageError("The option --url <address> is required.");
    const events = parseEvents(args) ?? [...CHECKOUT_EVENTS];
    const client = await openRequiredService(args);
    const endpoint = await registerEndpoint(client, { url, events, rotate: args.flags.has("rotate") });
    printEndpoint(endpoint, args.flags.has("json"), terminal);
  },
};

type EndpointRequest = { readonly url: string; readonly events: EventName[]; readonly rotate: boolean };

// Two endpoints with one address would receive every event twice, once signed with a secret that no server knows.
async function registerEndpoint(
  client: ServiceClient,
  { url, events, rotate }: EndpointRequest,
): Promise<ServiceWebhookEndpoint> {
  const existing = await findEndpoint(client, url);
  if (existing?.id === undefined) return (await client.webhooks.create({ url, authorized_events: events })).data;
  if (!rotate) {
    throw new Error(
      `The endpoint ${existing.id} already has this address, and the service shows a secret only once: add --rotate to create a new secret.`,
    );
  }
  const update = { rotate_secret: true, is_active: true, authorized_events: events };
  return (await client.webhooks.update(existing.id, update)).data;
}

async function findEndpoint(client: ServiceClient, url: string): Promise<ServiceWebhookEndpoint | null> {
  for await (const endpoint of client.webhooks.list()) if (endpoint.url === url) return endpoint;
  return null;
}
