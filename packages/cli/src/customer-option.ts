import type { Ledger } from "@tillkit/core";
import type { CustomerTrace } from "@tillkit/server";
import type { CommandLine, Option } from "./command.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export const customerOption: Readonly<Record<string, Option>> = {
  customer: {
    value: "contact",
    says: "the orders of one customer: the e-mail address, or the phone number with its country code, as paid with",
  },
};

/**
 * The orders of `store` whose webhooks name the customer of `--customer`, in all stores where none is said.
 * Neither an answer nor an error repeats the contact.
 */
export async function findNamedCustomer(line: CommandLine, ledger: Ledger, terminal: Terminal): Promise<CustomerTrace> {
  const { findCustomer, readContact } = await import("@tillkit/server");
  const contact = readContact(line.values.get("customer") ?? "");
  if (contact === null) {
    throw new UsageError(
      "Write the customer's e-mail address, or the phone number with its country code: +221770000000.",
    );
  }
  const storeId = line.values.get("store");
  const trace = await findCustomer(ledger, contact, tellProgress(terminal));
  const orders = trace.orders.filter((ref) => storeId === undefined || ref.storeId === storeId);
  if (trace.nobodys > 0) {
    terminal.error(
      `Webhooks that name this customer and belong to no payment here: ${trace.nobodys}. They go with tillkit prune --older-than 7d.`,
    );
  }
  return { ...trace, orders };
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
