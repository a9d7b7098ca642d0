import type { Ledger, Payment, PaymentState } from "@tillkit/core";
import type { Command } from "../../command-line/command.ts";
import { formatTime } from "../../command-line/format-time.ts";
import { adviceFor } from "../../command-line/nearest.ts";
import { printJson, printRows } from "../../command-line/print-rows.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { ledgerOptions, readLedger } from "../../options/ledger-option.ts";
import { isoTime, parseLimit, rowOptions } from "../../options/row-options.ts";

export const paymentsList: Command = {
  name: "payments list",
  summary: "List the payments of a ledger, newest first",
  positionals: [],
  options: {
    ...ledgerOptions,
    store: { value: "store id", description: "only payments of this store" },
    order: { value: "order", description: "only payments of the order with this number or ID" },
    state: { value: "state", description: "only payments in this state, such as open, review or recorded" },
    ...rowOptions,
  },
  example: "tillkit payments list --state review --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const { values, flags } = args;
    const limit = parseLimit(args);
    const [storeId, orderNumber, state] = [values.get("store"), values.get("order"), values.get("state")];
    await readLedger(args, async (ledger) => {
      const query = {
        ...(storeId === undefined ? {} : { storeId }),
        ...(orderNumber === undefined ? {} : { orderNumber }),
        ...(state === undefined ? {} : { states: [await parseState(state)] }),
      };
      const payments = await readPayments(ledger, query, limit);
      if (flags.has("json")) for (const payment of payments) printJson(terminal, rowOf(payment));
      else {
        const { formatMoney } = await import("@tillkit/core");
        const rows = payments.map(({ id, state: now, ref, orderNumber: number, createdAt, amountDue }) => ({
          created: formatTime(createdAt),
          payment: id,
          state: now,
          store: ref.storeId,
          order: number || ref.orderId,
          due: formatMoney(amountDue, "en"),
        }));
        printRows(terminal, rows, { json: false, none: "There are no such payments." });
      }
    });
  },
};

async function readPayments(
  ledger: Ledger,
  query: { readonly storeId?: string; readonly orderNumber?: string; readonly states?: readonly PaymentState[] },
  limit: number,
): Promise<readonly Payment[]> {
  const { allPages } = await import("@tillkit/runtime");
  const found: Payment[] = [];
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, ...page }))) {
    found.push(...payments);
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** @throws UsageError that names the states */
async function parseState(text: string): Promise<PaymentState> {
  const { PAYMENT_STATES: states } = await import("@tillkit/core/ledger");
  const state = states.find((known) => known === text);
  if (state !== undefined) return state;
  throw new UsageError(`There is no state "${text}": ${adviceFor(text, states)}`);
}

function rowOf({ id, state, environment, ref, orderNumber, createdAt, amountDue, amountReceived }: Payment) {
  return {
    created: isoTime(createdAt),
    payment: id,
    state,
    environment,
    store: ref.storeId,
    order: ref.orderId,
    orderNumber,
    due: amountDue,
    received: amountReceived,
  };
}
