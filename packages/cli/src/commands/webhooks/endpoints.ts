import type { WebhookEndpointUpdate } from "@tillkit/client";
import type { Command } from "../../command-line/command.ts";
import { confirm } from "../../command-line/confirm.ts";
import { printRows } from "../../command-line/print-rows.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { isoTime, jsonOption } from "../../options/row-options.ts";
import { openRequiredService, requiredServiceOptions } from "../../options/service-option.ts";
import { parseEvents, printEndpoint } from "./endpoint-output.ts";

const EXAMPLE_ID = "wh_7K2MPQ9XW4ZTBD";
const options = { ...requiredServiceOptions, ...jsonOption };
const yes = { yes: { description: "confirm without being asked" } };

export const webhooksList: Command = {
  name: "webhooks list",
  summary: "List the webhook endpoints of the key's environment",
  positionals: [],
  options,
  example: "tillkit webhooks list",
  async run(args, terminal) {
    const client = await openRequiredService(args);
    const rows = [];
    for await (const { id, url, environment, isActive, authorizedEvents, createdAt } of client.webhooks.list()) {
      rows.push({
        id,
        environment: environment && String(environment),
        active: isActive,
        url,
        created: isoTime(createdAt),
        events: authorizedEvents,
      });
    }
    printRows(terminal, rows, { json: args.flags.has("json"), none: "There are no webhook endpoints." });
  },
};

export const webhooksUpdate: Command = {
  name: "webhooks update",
  summary: "Change the address or the events of a webhook endpoint, or turn it on or off",
  positionals: ["endpoint"],
  options: {
    url: { value: "address", description: "the new address" },
    event: { value: "name", description: "an event to deliver instead of the present ones; repeat it for several" },
    on: { description: "deliver events to the endpoint" },
    off: { description: "deliver no events to the endpoint" },
    ...options,
  },
  example: `tillkit webhooks update ${EXAMPLE_ID} --url https://shop.example/hooks/service/shop`,
  async run(args, terminal) {
    const { positionals, values, flags } = args;
    const url = values.get("url");
    const events = parseEvents(args);
    if (flags.has("on") && flags.has("off")) throw new UsageError("Use either --on or --off, not both.");
    const update: WebhookEndpointUpdate = {
      ...(url === undefined ? {} : { url }),
      ...(events === null ? {} : { authorized_events: events }),
      ...(flags.has("on") || flags.has("off") ? { is_active: flags.has("on") } : {}),
    };
    if (Object.keys(update).length === 0) throw new UsageError("Say what to change: --url, --event, --on or --off.");
    const client = await openRequiredService(args);
    printEndpoint((await client.webhooks.update(positionals[0] ?? "", update)).data, flags.has("json"), terminal);
  },
};

export const webhooksRotate: Command = {
  name: "webhooks rotate",
  summary: "Give a webhook endpoint a new secret and show it once",
  positionals: ["endpoint"],
  options: { ...yes, ...options },
  example: `tillkit webhooks rotate ${EXAMPLE_ID}`,
  async run(args, terminal) {
    const [id = ""] = args.positionals;
    await confirm(
      `The service signs with the new secret of ${id}, perhaps at once: a server that lacks it refuses the webhooks.`,
      args,
    );
    const client = await openRequiredService(args);
    const { data } = await client.webhooks.update(id, { rotate_secret: true });
    printEndpoint(data, args.flags.has("json"), terminal);
  },
};

export const webhooksDelete: Command = {
  name: "webhooks delete",
  summary: "Delete a webhook endpoint",
  positionals: ["endpoint"],
  options: { ...yes, ...options },
  example: `tillkit webhooks delete ${EXAMPLE_ID}`,
  async run(args, terminal) {
    const [id = ""] = args.positionals;
    const client = await openRequiredService(args);
    const { url, environment } = (await client.webhooks.read(id)).data;
    await confirm(`${url} (${environment}) gets no more webhooks, and its secret is gone.`, args);
    await client.webhooks.delete(id);
    terminal.log(args.flags.has("json") ? JSON.stringify({ id, deleted: true }) : `The endpoint ${id} is deleted.`);
  },
};

export const webhooksTest: Command = {
  name: "webhooks test",
  summary: "Let the service send a test event to a webhook endpoint",
  positionals: ["endpoint"],
  options,
  example: `tillkit webhooks test ${EXAMPLE_ID}`,
  async run(args, terminal) {
    const [id = ""] = args.positionals;
    const client = await openRequiredService(args);
    const { responseStatus, logId } = (await client.webhooks.test(id)).data;
    const row = { id, status: responseStatus ?? null, log: logId ?? null };
    const answer = responseStatus === undefined ? "with success" : `${responseStatus}`;
    terminal.log(args.flags.has("json") ? JSON.stringify(row) : `The endpoint ${id} answered ${answer}.`);
  },
};
