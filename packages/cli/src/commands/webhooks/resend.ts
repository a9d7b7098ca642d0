import type { ServiceClient } from "@tillkit/client";
import type { Command } from "../../command-line/command.ts";
import { formatCount } from "../../command-line/format-count.ts";
import { jsonOption } from "../../options/row-options.ts";
import { openSandboxControl } from "../../options/sandbox-control.ts";
import { openRequiredService, requiredServiceOptions, resolveServiceUrl } from "../../options/service-option.ts";

export const eventsResend: Command = {
  name: "events resend",
  summary: "Send a webhook again: a failed attempt by the ID of its log, or an event of a sandbox by the event's ID",
  positionals: ["log or event"],
  options: { ...requiredServiceOptions, ...jsonOption },
  example: "tillkit events resend 0d3c2a52-3f0e-4f55-9b2f-8d5a9e1f7c11",
  async run(args, terminal) {
    const [id = ""] = args.positionals;
    const { isLoopbackUrl, isServiceError } = await import("@tillkit/client");
    const client = await openRequiredService(args);
    try {
      const status = await retryLog(client, id);
      const row = { id, status: status ?? null };
      terminal.log(args.flags.has("json") ? JSON.stringify(row) : `Sent again: the receiver answered ${status}.`);
    } catch (error) {
      const isUnknown = isServiceError(error) && error.code === "not_found";
      if (!isUnknown || !isLoopbackUrl(await resolveServiceUrl(args))) throw error;
      const control = await openSandboxControl(args);
      const { deliveries } = await control("POST", `/events/${encodeURIComponent(id)}/deliver`);
      const count = (deliveries as readonly string[]).length;
      const sentence = `The event is sent again to ${formatCount(count, "endpoint")}.`;
      terminal.log(args.flags.has("json") ? JSON.stringify({ id, endpoints: count }) : sentence);
    }
  },
};

async function retryLog(client: ServiceClient, logId: string): Promise<number | undefined> {
  const { webhookId = "" } = (await client.deliveryLogs.read(logId)).data;
  return (await client.webhooks.retryLog(webhookId, logId)).data.responseStatus;
}
