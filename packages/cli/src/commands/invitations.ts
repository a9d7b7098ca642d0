import type { Command } from "../command-line/command.ts";
import { formatTime } from "../command-line/format-time.ts";
import { printRows } from "../command-line/print-rows.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";
import { parsePerson, personOptions } from "../options/person-option.ts";

export const invitations: Command = {
  name: "invitations",
  summary: "List the invitation codes that have connected no shop yet, and withdraw one",
  positionals: [],
  options: {
    ...ledgerOptions,
    ...personOptions,
    withdraw: { value: "code", description: "withdraw this code: its first five characters are enough" },
    json: { description: "print one line of JSON for each code" },
  },
  example: "tillkit invitations --ledger sqlite:/var/lib/tillkit/ledger.db",
  async run(args, terminal) {
    const code = args.values.get("withdraw")?.toUpperCase().slice(0, 5);
    const by = code === undefined ? "" : await parsePerson(args);
    await withLedger(args, async (ledger) => {
      const { systemClock: clock } = await import("@tillkit/core");
      const { ledgerData } = await import("../ledger-data.ts");
      const codes = ledgerData.createInvitations(ledger.records, clock);
      const found = (await codes.open()).filter(({ begins }) => code === undefined || begins === code);
      for (const { id, begins } of code === undefined ? [] : found) {
        const act = { at: clock.now(), by, act: "shop_uninvite", paymentId: null, detail: `${begins}…` };
        await ledger.recordAct(act);
        await codes.withdraw(id);
      }
      if (code !== undefined && found.length === 0)
        throw new Error(`No open code begins with ${code}: it connected its shop, expired, or was withdrawn before.`);
      const json = args.flags.has("json");
      const rows = found.map(({ begins, expiresAt, usedBy }) => ({
        code: `${begins}…`,
        expires: json ? new Date(expiresAt).toISOString() : formatTime(expiresAt),
        shop: usedBy,
        withdrawn: code !== undefined,
      }));
      printRows(terminal, rows, { json, none: "No invitation code is open." });
    });
  },
};
