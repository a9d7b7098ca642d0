import type { CheckoutSession } from "@tillkit/client";
import type { Command } from "../../command-line/command.ts";
import { formatTime } from "../../command-line/format-time.ts";
import { parseDuration } from "../../command-line/parse-number.ts";
import { printJson } from "../../command-line/print-rows.ts";
import { stopSignal, waitFor } from "../../command-line/stop-signal.ts";
import { idIn } from "../../options/find-target.ts";
import { jsonOption, wireText } from "../../options/row-options.ts";
import { openRequiredService, requiredServiceOptions } from "../../options/service-option.ts";

const POLL_MS = 2_000;

export const sessionWatch: Command = {
  name: "session watch",
  summary: "Wait until a session is paid or expired; exit code 0 only when it is paid",
  positionals: ["session"],
  options: {
    timeout: { value: "duration", description: "give up after this time, such as 90s or 15m; the default is 2h" },
    ...requiredServiceOptions,
    ...jsonOption,
  },
  example: "tillkit session watch 6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33 --timeout 15m",
  async run(args, terminal) {
    const id = idIn(args.positionals[0] ?? "");
    const giveUpAt = Date.now() + parseDuration(args.values.get("timeout") ?? "2h");
    const client = await openRequiredService(args);
    const stop = stopSignal();
    let shownStatus = "";
    while (Date.now() < giveUpAt && !stop.aborted) {
      const { data } = await client.checkoutSessions.read(id);
      const status = String(data.status);
      if (status !== shownStatus) {
        if (args.flags.has("json")) printJson(terminal, rowOf(id, data));
        else terminal.log(lineOf(data));
      }
      shownStatus = status;
      if (status === "completed") return;
      if (status === "expired") throw new Error("The session expired before it was paid.");
      await waitFor(POLL_MS, stop);
    }
    throw new Error(`The session is still ${shownStatus || "unread"}.`);
  },
};

function lineOf({ status, amount, currencyCode, transactionId }: CheckoutSession): string {
  const transaction = transactionId === undefined ? "" : `  transaction ${transactionId}`;
  return `${formatTime(Date.now())}  ${status}  ${wireText(amount, currencyCode)}${transaction}`;
}

function rowOf(id: string, { status, amount, currencyCode, transactionId }: CheckoutSession) {
  return { id, status, amount, currency: currencyCode, transaction: transactionId };
}
