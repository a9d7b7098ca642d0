import type { Ledger } from "@tillkit/core";
import type { CustomerTrace } from "@tillkit/server";
import type { CommandLine, Option } from "../command-line/command.ts";
import { formatCount } from "../command-line/format-count.ts";
import type { Terminal } from "../command-line/terminal.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { openService, serviceOptions } from "./service-option.ts";

export const customerOptions: Readonly<Record<string, Option>> = {
  customer: {
    value: "customer",
    description:
      "select the orders of one customer: the customer ID in the service's dashboard, or with --service the email address or the phone number with its country code",
  },
  ...serviceOptions("to look up a customer by email or phone"),
};

/**
 * Finds the orders whose webhooks name the customer of `--customer`, in the store of `--store` or in all stores. No output and no
 * error contains the customer's data.
 */
export async function findCustomerOrders(
  args: CommandLine,
  ledger: Ledger,
  terminal: Terminal,
): Promise<CustomerTrace> {
  const ids = await resolveCustomerIds(args);
  const { findCustomer } = (await import("../ledger-data.ts")).ledgerData;
  const trace = await findCustomer(ledger, ids, reportProgress(terminal));
  const storeId = args.values.get("store");
  if (trace.unmatchedDeliveries > 0) {
    const matches = trace.unmatchedDeliveries === 1 ? "matches" : "match";
    terminal.notice(
      `${formatCount(trace.unmatchedDeliveries, "webhook")} for this customer ${matches} no payment in this ledger. \`tillkit prune --older-than 7d\` removes them, and other old data, once they are 7 days old.`,
    );
  }
  return { ...trace, orders: trace.orders.filter((order) => storeId === undefined || order.storeId === storeId) };
}

async function resolveCustomerIds(args: CommandLine): Promise<ReadonlySet<string>> {
  const { findCustomerIds, parseCustomer } = (await import("../ledger-data.ts")).ledgerData;
  const customer = parseCustomer(args.values.get("customer") ?? "");
  if (customer === null) {
    throw new UsageError(
      "--customer must be a customer ID from the service, an email address, or a phone number with its country code, such as +221770000000.",
    );
  }
  if (customer.by === "id") return new Set([customer.value]);
  const service = await openService(args);
  if (service === null) {
    throw new UsageError(
      "--customer with an email address or a phone number needs --service <url> and SERVICE_SECRET_KEY, to look up the customer ID at the service. Without them, give the customer ID.",
    );
  }
  const ids = await findCustomerIds((query) => service.customers.list(query), customer);
  if (ids.size === 0) throw new Error("The service does not know this customer: use the customer ID in its dashboard.");
  return ids;
}

const WEBHOOKS_PER_REPORT = 10_000;

function reportProgress(terminal: Terminal): (count: number) => void {
  let reported = 0;
  return (count) => {
    if (count < reported + WEBHOOKS_PER_REPORT) return;
    reported = count;
    terminal.notice(`${count} webhooks read`);
  };
}
