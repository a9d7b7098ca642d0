import type { Command } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { jsonOption } from "../../options/row-options.ts";
import { openSandboxControl } from "../../options/sandbox-control.ts";
import { openRequiredService, requiredServiceOptions } from "../../options/service-option.ts";
import { parseEventName } from "../webhooks/endpoint-output.ts";
import { scenarios } from "./trigger-scenarios.ts";

export const trigger: Command = {
  name: "trigger",
  summary: "Let a sandbox do what causes an event: a payment, a refund, a dispute or a subscription",
  positionals: ["event"],
  options: {
    session: {
      value: "session",
      description: "pay or refuse this open session, instead of a new one of 5,000 F CFA; for payments and refunds",
    },
    ...requiredServiceOptions,
    ...jsonOption,
  },
  example: "tillkit trigger PAYMENT_SUCCEEDED",
  async run(args, terminal) {
    const event = parseEventName(args.positionals[0] ?? "");
    const session = args.values.get("session");
    if (session !== undefined && !/^(?:PAYMENT|REFUND|DISPUTE)_/.test(event))
      throw new UsageError(`The event ${event} belongs to no session: leave --session out.`);
    const control = await openSandboxControl(args);
    const client = await openRequiredService(args);
    const made = await scenarios[event]({ control, client, session: session ?? null });
    const ids = Object.entries(made).map(([name, id]) => `${name} ${id}`);
    const sentence = `Triggered ${event}${ids.length > 0 ? `: ${ids.join(", ")}` : ""}.`;
    terminal.log(args.flags.has("json") ? JSON.stringify({ event, ...made }) : sentence);
  },
};
