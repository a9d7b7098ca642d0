import type { Command } from "../command-line/command.ts";
import { formatTime } from "../command-line/format-time.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";

export const copies: Command = {
  name: "copies",
  summary: "List the addresses that look like copies of a shop or of its server, and say what they are",
  positionals: [],
  options: {
    ...ledgerOptions,
    address: { value: "address", description: "the address to answer about, as the list shows it" },
    answer: { value: "moved|copy", description: "moved: the shop is at this address too; copy: nothing is refunded there" },
    json: { description: "print one line of JSON for each address" },
  },
  example: "tillkit copies --ledger sqlite:.tillkit/ledger.db",
  async run({ values, flags, ...args }, terminal) {
    const [address, answer] = [values.get("address"), values.get("answer")];
    const isWhole = (address === undefined) === (answer === undefined);
    if (!isWhole || (answer !== undefined && answer !== "moved" && answer !== "copy"))
      throw new UsageError("Give both to answer: --address staging.example --answer moved, or --answer copy.");
    await withLedger({ ...args, values, flags }, async (ledger) => {
      const { createInstallations, listCopies } = await import("@tillkit/core/hosts");
      const { systemClock } = await import("@tillkit/core");
      const found = (await listCopies(ledger.records)).filter((copy) => address === undefined || copy.address === address);
      if (found.length === 0 && !flags.has("json")) terminal.log("No address waits for an answer.");
      for (const copy of found) {
        if (answer !== undefined)
          await createInstallations(ledger.records, systemClock).answer(copy.storeId, `https://${copy.address}`, answer);
        const { storeId, original, seenAt } = copy;
        const of = storeId === "" ? `the server at ${original}` : `the shop ${storeId} at ${original}`;
        const said = answer === undefined ? `looks like a copy of ${of}` : `is said to be ${SAID[answer]} of ${of}`;
        const row = { address: copy.address, original, storeId, seenAt: new Date(seenAt).toISOString(), answer: answer ?? null };
        terminal.log(flags.has("json") ? JSON.stringify(row) : `${formatTime(seenAt)}  ${copy.address}  ${said}`);
      }
    });
  },
};

const SAID = { moved: "an address", copy: "a copy" } as const;
