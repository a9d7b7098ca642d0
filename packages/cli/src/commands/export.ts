import type { Command, CommandLine } from "../command-line/command.ts";
import type { Terminal } from "../command-line/terminal.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, readLedger } from "../options/ledger-option.ts";
import { openService, serviceOptions } from "../options/service-option.ts";

const DAY_MS = 86_400_000;

export const exportCommand: Command = {
  name: "export",
  summary: "Write the payments that were received as CSV, for bookkeeping",
  positionals: [],
  options: {
    ...ledgerOptions,
    from: { value: "date", description: "start with this day (UTC), such as 2026-01-01" },
    until: { value: "date", description: "end with this day (UTC), included" },
    store: { value: "store id", description: "only export this store" },
    ...serviceOptions("for the columns fee and net"),
  },
  example: "tillkit export --from 2026-01-01 --until 2026-01-31 --ledger sqlite:.tillkit/ledger.db > january.csv",
  async run(args, terminal) {
    const { values } = args;
    const storeId = values.get("store");
    const from = parseDay(values.get("from"));
    const until = parseDay(values.get("until"));
    const query = {
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until: until + DAY_MS }),
      ...(storeId === undefined ? {} : { storeId }),
    };
    const { exportPayments } = (await import("../ledger-data.ts")).ledgerData;
    const fees = await openFees(args, terminal);
    await readLedger(args, async (ledger) => {
      for await (const part of exportPayments(ledger, fees, query)) await terminal.write(part);
    });
  },
};

async function openFees(args: CommandLine, terminal: Terminal) {
  const client = await openService(args);
  const { createFees, noFees } = (await import("../ledger-data.ts")).ledgerData;
  if (client === null) {
    terminal.notice("The columns fee and net stay empty without --service <url> and SERVICE_SECRET_KEY.");
    return noFees;
  }
  const { systemClock } = await import("@tillkit/core");
  const { serviceFromClient } = await import("@tillkit/core/hosts");
  const service = serviceFromClient(client, systemClock);
  return createFees({ service: async () => service });
}

function parseDay(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) throw new UsageError(`A date must look like 2026-01-31, not "${text}".`);
  return at;
}
