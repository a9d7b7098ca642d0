import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inCli = inPackage("cli");

/** What a command must not do by a slip. */
export const cli: readonly Mutant[] = [
  inCli({
    id: "cli-erases-a-store-by-slip",
    breaks: "A forgotten option removes the payments of a whole shop.",
    file: "commands/erase.ts",
    find: `  if (line.switches.has("yes")) return (ledger)`,
    replace: "  if (line.switches.size >= 0) return (ledger)",
    test: "ledger-commands",
    title: "of a whole store is not erased by a slip of the hand",
  }),
  inCli({
    id: "cli-erases-the-first-order-only",
    breaks: "A customer who asked for all orders to be erased stays in all but the first.",
    file: "commands/erase.ts",
    find: "    const refs = orderIds.map(",
    replace: "    const refs = orderIds.slice(0, 1).map(",
    test: "ledger-commands",
    title: "of one order is erased, unless its payment is not finished yet",
  }),
];
