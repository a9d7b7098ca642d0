import type { Command, CommandLine } from "../command.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import { openService, serviceOption } from "../service-option.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const DAY_MS = 86_400_000;

export const exportCommand: Command = {
  name: "export",
  summary: "Write the payments whose money arrived as CSV, for the bookkeeper",
  words: [],
  options: {
    ...ledgerOptions,
    from: { value: "date", says: "first day, such as 2026-01-01" },
    until: { value: "date", says: "last day, included" },
    store: { value: "store id", says: "only of this store" },
    ...serviceOption("for the columns fee and net"),
  },
  example: "tillkit export --from 2026-01-01 --until 2026-01-31 --ledger sqlite:.tillkit/ledger.db > january.csv",
  async run(line, terminal) {
    const { values } = line;
    const storeId = values.get("store");
    const [from, until] = [readDay(values.get("from")), readDay(values.get("until"))];
    const want = {
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until: until + DAY_MS }),
      ...(storeId === undefined ? {} : { storeId }),
    };
    const { exportPayments } = await import("@tillkit/server");
    const fees = await feesOf(line, terminal);
    await withLedger(line, async (ledger) => {
      for await (const part of exportPayments(ledger, fees, want)) await terminal.write(part);
    });
  },
};

async function feesOf(line: CommandLine, terminal: Terminal) {
  const [client, { createFees, noFees }] = [await openService(line), await import("@tillkit/server")];
  if (client === null) {
    terminal.error("Fee and net stay empty: the service tells them, with --service <url> and SERVICE_SECRET_KEY.");
    return noFees;
  }
  const { serviceFromClient, systemClock } = await import("@tillkit/core");
  const service = serviceFromClient(client, systemClock);
  return createFees({ service: async () => service });
}

function readDay(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) throw new UsageError(`A date is written 2026-01-31, not "${text}".`);
  return at;
}
