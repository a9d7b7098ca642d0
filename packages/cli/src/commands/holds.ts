import type { Ledger, Payment } from "@tillkit/core";
import type { Command } from "../command-line/command.ts";
import { formatTime } from "../command-line/format-time.ts";
import { ledgerOptions, readLedger } from "../options/ledger-option.ts";

export const holds: Command = {
  name: "holds",
  summary: "List held payments: money arrived with a difference or twice, and the shop's owner decides",
  positionals: [],
  options: {
    ...ledgerOptions,
    store: { value: "store id", description: "only list payments of this store" },
    json: { description: "print one line of JSON for each payment" },
  },
  example: "tillkit holds --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const storeId = args.values.get("store");
    await readLedger(args, async (ledger) => {
      const { explainFinding, formatMoney } = await import("@tillkit/core");
      let shown = 0;
      for await (const payment of listHeld(ledger, storeId)) {
        shown += 1;
        const reason = payment.finding ? explainFinding(payment.finding, "en", "operator") : withoutFinding(payment);
        const amount = formatMoney(payment.amountReceived ?? payment.amountDue, "en");
        const isJson = args.flags.has("json");
        terminal.log(isJson ? JSON.stringify(rowOf(payment, reason)) : lineOf(payment, reason, amount));
      }
      if (shown === 0 && !args.flags.has("json")) terminal.log("No payment is held.");
    });
  },
};

async function* listHeld(ledger: Ledger, storeId: string | undefined): AsyncGenerator<Payment> {
  const { HELD_STATES } = await import("@tillkit/core/back-office");
  const { allPages } = await import("@tillkit/runtime");
  const query = { states: HELD_STATES, ...(storeId === undefined ? {} : { storeId }) };
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, ...page }))) yield* payments;
}

function withoutFinding({ state }: Payment): string {
  return state === "duplicate" ? "Another payment counts for this order." : "The difference is not recorded.";
}

function lineOf({ id, ref, orderNumber, createdAt }: Payment, reason: string, amount: string): string {
  const order = `order ${orderNumber || ref.orderId} of ${ref.storeId}`;
  return [`${formatTime(createdAt)}  ${order}  ${amount}  payment ${id}`, `  ${reason}`].join("\n");
}

function rowOf({ id, ref, orderNumber, createdAt, amountDue, amountReceived, finding }: Payment, reason: string) {
  return {
    created: new Date(createdAt).toISOString(),
    payment: id,
    store: ref.storeId,
    order: ref.orderId,
    orderNumber,
    due: amountDue,
    received: amountReceived,
    finding: finding?.code ?? null,
    reason,
  };
}
