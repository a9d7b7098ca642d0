import type { CheckoutSessionRequest } from "@tillkit/client";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { confirm } from "../../command-line/confirm.ts";
import { parseAmount } from "../../command-line/parse-number.ts";
import { printJson } from "../../command-line/print-rows.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { isoTime, jsonOption } from "../../options/row-options.ts";
import { openRequiredService, requiredServiceOptions, resolveService } from "../../options/service-option.ts";

export const sessionCreate: Command = {
  name: "session create",
  summary: "Open a checkout session and print the address of its payment page",
  positionals: [],
  options: {
    amount: { value: "number", description: "the amount in the service's unit: 5000 for 5,000 F CFA; required" },
    currency: { value: "code", description: "XOF, USD or EUR; the default is XOF" },
    title: { value: "text", description: "what the shopper reads above the amount; the default is Test order" },
    "success-url": { value: "address", description: "where the browser goes after the payment" },
    "cancel-url": { value: "address", description: "where the cancel link leads" },
    metadata: { value: "name=value", description: "data that is copied to the payment; repeat the option for several" },
    yes: { description: "open a session for real money without being asked" },
    ...requiredServiceOptions,
    ...jsonOption,
  },
  example: "tillkit session create --amount 5000 --title 'Order 1042'",
  async run(args, terminal) {
    const { values, lists, flags } = args;
    const amount = values.get("amount");
    if (amount === undefined) throw new UsageError("The option --amount <number> is required.");
    const successUrl = values.get("success-url");
    const cancelUrl = values.get("cancel-url");
    const body: CheckoutSessionRequest = {
      amount: parseAmount(amount),
      currency_code: parseCurrency(values.get("currency") ?? "XOF"),
      title: values.get("title") ?? "Test order",
      ...(successUrl === undefined ? {} : { success_url: successUrl }),
      ...(cancelUrl === undefined ? {} : { cancel_url: cancelUrl }),
      metadata: Object.fromEntries((lists.get("metadata") ?? []).map(parseMetadata)),
    };
    await confirmRealMoney(args);
    const client = await openRequiredService(args);
    const { data } = await client.checkoutSessions.create(body);
    if (flags.has("json")) {
      const { id, url, status, currencyCode, environment, expiresAt } = data;
      const session = { id, url, status, amount: data.amount, currency: currencyCode, environment };
      return printJson(terminal, { ...session, expiresAt: isoTime(expiresAt) });
    }
    terminal.log(`${data.id}  ${data.environment ?? ""}  ${data.status ?? ""}`);
    terminal.log(data.url);
  },
};

/** A page of the real service with a live key takes real money of whoever opens it. */
async function confirmRealMoney(args: CommandLine): Promise<void> {
  const { isLoopbackUrl } = await import("@tillkit/client");
  const { service, secretKey } = await resolveService(args);
  if (isLoopbackUrl(service) || !secretKey.startsWith("svc_sk_live_")) return;
  await confirm(`The key is live: whoever opens the page pays real money at ${new URL(service).host}.`, args);
}

function parseCurrency(code: string): "XOF" | "USD" | "EUR" {
  if (code === "XOF" || code === "USD" || code === "EUR") return code;
  throw new UsageError(`The currency must be XOF, USD or EUR, not "${code}".`);
}

function parseMetadata(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`Metadata must look like order=1042, not "${text}".`);
  return [name, value];
}
