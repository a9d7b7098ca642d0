import process from "node:process";
import type { ServiceClient, ServiceWebhookEndpoint } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import type { Command } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const KEY = "SERVICE_SECRET_KEY";

export const webhooks: Command = {
  name: "webhooks",
  summary: "Register where the service delivers its webhooks, and see its secret",
  words: ["create"],
  options: {
    url: {
      value: "address",
      says: "where they are delivered, for example https://shop.example/tillkit/webhooks/medusa",
    },
    service: { value: "address", says: `the service; its key is taken from ${KEY}, never from the command line` },
    event: {
      value: "name",
      says: "an event to hear of, several times for several; all of payments, refunds and disputes unless set",
    },
    rotate: { says: "give an address that is registered already a new secret" },
    json: { says: "one line of JSON" },
  },
  example: `${KEY}=svc_sk_test_… tillkit webhooks create --service https://api.service.example --url https://shop.example/tillkit/webhooks/medusa`,
  async run({ words: [what], values, lists, switches }, terminal) {
    if (what !== "create")
      throw new UsageError(`Webhooks can only be created: tillkit webhooks create, not "${what}".`);
    const url = needed(values.get("url"), "--url ADDRESS");
    const baseUrl = needed(values.get("service"), "--service ADDRESS");
    const apiKey = process.env[KEY];
    if (!apiKey) throw new UsageError(`Put the service's secret key into the environment variable ${KEY}.`);
    const { createServiceClient } = await import("@tillkit/client");
    const client = createServiceClient({ apiKey, baseUrl });
    const events = lists.get("event") ?? CHECKOUT_EVENTS;
    const endpoint = await register(client, { url, events, rotate: switches.has("rotate") });
    print(endpoint, switches.has("json"), terminal);
  },
};

type Wish = { readonly url: string; readonly events: readonly string[]; readonly rotate: boolean };

// A second endpoint of one address would be delivered everything twice, half of it under a secret that nobody set.
async function register(client: ServiceClient, { url, events, rotate }: Wish): Promise<ServiceWebhookEndpoint> {
  const known = await findEndpoint(client, url);
  const authorized_events = events as (typeof CHECKOUT_EVENTS)[number][];
  if (known?.id === undefined) return (await client.webhooks.create({ url, authorized_events })).data;
  if (!rotate) {
    throw new Error(
      `${known.id} is registered for this address already, and the service shows a secret only once: add --rotate for a new one.`,
    );
  }
  return (await client.webhooks.update(known.id, { rotate_secret: true, is_active: true, authorized_events })).data;
}

async function findEndpoint(client: ServiceClient, url: string): Promise<ServiceWebhookEndpoint | null> {
  for await (const endpoint of client.webhooks.list()) if (endpoint.url === url) return endpoint;
  return null;
}

function print(
  { id, url, environment, authorizedEvents, secret }: ServiceWebhookEndpoint,
  json: boolean,
  terminal: Terminal,
) {
  if (json) return terminal.log(JSON.stringify({ id, url, environment, events: authorizedEvents, secret }));
  terminal.log(`${id}  ${environment}  ${url}`);
  terminal.log(`Hears of ${authorizedEvents?.join(", ")}.`);
  terminal.log(`Secret, shown this once:\n${secret}`);
}

function needed(value: string | undefined, option: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`Say ${option}.`);
}
