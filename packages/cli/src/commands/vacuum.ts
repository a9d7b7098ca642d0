import type { Command } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";

export const vacuum: Command = {
  name: "vacuum",
  summary: "Rewrite a SQLite ledger once, so that nothing which an older version erased is left in its free pages",
  positionals: [],
  options: {
    ...ledgerOptions,
    json: { description: "print the result as one line of JSON" },
  },
  example: "tillkit vacuum --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    await withLedger(args, async (ledger) => {
      if (ledger.vacuum === undefined)
        throw new UsageError(
          "PostgreSQL removes erased rows by itself (autovacuum). `VACUUM FULL` in psql also gives the space back, and stops every write meanwhile.",
        );
      await ledger.vacuum();
      terminal.log(
        args.flags.has("json") ? JSON.stringify({ vacuumed: true }) : "The file was rewritten without free pages.",
      );
    });
  },
};
