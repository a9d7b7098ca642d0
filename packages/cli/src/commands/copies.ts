import type { FoundCopy } from "@tillkit/core/hosts";
import type { Command, CommandLine } from "../command-line/command.ts";
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
    answer: {
      value: "moved|copy",
      description: "moved: the shop is at this address too; copy: nothing is refunded there",
    },
    json: { description: "print one line of JSON for each address" },
  },
  example: "tillkit copies --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const [address, answer] = [args.values.get("address"), answerOf(args)];
    const isJson = args.flags.has("json");
    await withLedger(args, async ({ records }) => {
      const { createInstallations, listCopies } = await import("@tillkit/core/hosts");
      const { systemClock } = await import("@tillkit/core");
      const installations = createInstallations(records, systemClock);
      const found = (await listCopies(records)).filter((copy) => address === undefined || copy.address === address);
      for (const copy of found) {
        if (answer !== null) await installations.answer(copy.storeId, `https://${copy.address}`, answer);
        const row = { ...copy, seenAt: new Date(copy.seenAt).toISOString(), answer };
        terminal.log(isJson ? JSON.stringify(row) : lineOf(copy, answer));
      }
      if (found.length === 0 && !isJson) terminal.log("No address waits for an answer.");
    });
  },
};

type Answer = "moved" | "copy" | null;

function answerOf({ values }: CommandLine): Answer {
  const answer = values.get("answer");
  const isWhole = values.has("address") === values.has("answer");
  if (isWhole && (answer === "moved" || answer === "copy")) return answer;
  if (isWhole && answer === undefined) return null;
  throw new UsageError("Give both to answer: --address staging.example --answer moved, or --answer copy.");
}

const SAID = { moved: "is said to be an address of", copy: "is said to be a copy of" } as const;

function lineOf({ address, original, storeId, seenAt }: FoundCopy, answer: Answer): string {
  const said = answer === null ? "looks like a copy of" : SAID[answer];
  const of = storeId === "" ? `the server at ${original}` : `the shop ${storeId} at ${original}`;
  return `${formatTime(seenAt)}  ${address}  ${said} ${of}`;
}
