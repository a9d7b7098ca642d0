import type { Command } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { parseAddress } from "../../options/parse-address.ts";
import { jsonOption } from "../../options/row-options.ts";
import { openRequiredService, requiredServiceOptions, resolveServiceUrl } from "../../options/service-option.ts";
import { parseEvents } from "./endpoint-output.ts";
import { listenByEndpoint } from "./listen-by-endpoint.ts";
import { listenByLogs } from "./listen-by-logs.ts";
import { createSession } from "./listen-session.ts";

export const listen: Command = {
  name: "listen",
  summary: "Forward webhooks to a server on this machine, byte for byte, and print each answer, until Ctrl-C",
  positionals: [],
  options: {
    "forward-to": { value: "address", description: "the webhook address of your server; required" },
    event: { value: "name", description: "(sandbox only) forward only this event; repeat the option for several" },
    webhook: {
      value: "endpoint",
      description:
        "forward what the service sent to this endpoint, read from its delivery logs every 2 s; required unless the service is a sandbox",
    },
    count: { value: "number", description: "end after this many webhooks, for scripts" },
    ...requiredServiceOptions,
    ...jsonOption,
  },
  example: "tillkit listen --forward-to http://127.0.0.1:3000/hooks/service/shop",
  async run(args, terminal) {
    const forwardTo = args.values.get("forward-to");
    if (forwardTo === undefined) throw new UsageError("The option --forward-to <address> is required.");
    const target = await parseAddress("--forward-to", forwardTo, "link");
    const webhookId = args.values.get("webhook");
    const events = parseEvents(args);
    const { isLoopbackUrl } = await import("@tillkit/client");
    if (webhookId === undefined && !isLoopbackUrl(await resolveServiceUrl(args)))
      throw new UsageError(
        "The service cannot reach this machine: add --webhook <endpoint>, an endpoint whose webhooks are to be forwarded (tillkit webhooks list).",
      );
    const client = await openRequiredService(args);
    const session = createSession(args, target, terminal);
    if (webhookId === undefined) await listenByEndpoint(client, events, session);
    else await listenByLogs(client, webhookId, session);
  },
};
