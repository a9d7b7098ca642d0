import type { Ledger } from "@tillkit/core";
import type { CustomerTrace } from "@tillkit/server";
import type { CommandLine, Option } from "./command.ts";
import { openService, serviceOption } from "./service-option.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export const customerOption: Readonly<Record<string, Option>> = {
  customer: {
    value: "customer",
    says: "the orders of one customer: the id in the service's dashboard; with --service also the e-mail address, or the phone number with its country code",
  },
  ...serviceOption("to find a customer by e-mail or phone"),
};

/**
 * The orders of `--store` whose webhooks name the customer of `--customer`, in all stores where none is said.
 * Neither an answer nor an error repeats who it is.
 */
export async function findNamedCustomer(line: CommandLine, ledger: Ledger, terminal: Terminal): Promise<CustomerTrace> {
  const ids = await readIds(line);
  const { findCustomer } = await import("@tillkit/server");
  const trace = await findCustomer(ledger, ids, tellProgress(terminal));
  const storeId = line.values.get("store");
  if (trace.nobodys > 0) {
    terminal.error(
      `Webhooks that name this customer and belong to no payment here: ${trace.nobodys}. They go with tillkit prune --older-than 7d.`,
    );
  }
  return { ...trace, orders: trace.orders.filter((ref) => storeId === undefined || ref.storeId === storeId) };
}

async function readIds(line: CommandLine): Promise<ReadonlySet<string>> {
  const { customerIdsOf, readCustomer } = await import("@tillkit/server");
  const customer = readCustomer(line.values.get("customer") ?? "");
  if (customer === null) {
    throw new UsageError(
      "Write the customer's id at the service, an e-mail address, or a phone number with its country code: +221770000000.",
    );
  }
  if (customer.by === "id") return new Set([customer.value]);
  const service = await openService(line);
  if (service === null) {
    throw new UsageError(
      "The service's webhooks know customers by their id: give that, or let the service tell it with --service <url> and SERVICE_SECRET_KEY.",
    );
  }
  const ids = await customerIdsOf((query) => service.customers.list(query), customer);
  if (ids.size === 0) throw new Error("The service knows no such customer: look for the id in its dashboard.");
  return ids;
}

const TELL_EVERY = 10_000;

function tellProgress(terminal: Terminal): (count: number) => void {
  let told = 0;
  return (count) => {
    if (count < told + TELL_EVERY) return;
    told = count;
    terminal.error(`Webhooks read: ${count}`);
  };
}
