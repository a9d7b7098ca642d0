import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inCli = inPackage("cli");

/** Mutants of commands that remove data. */
export const cli: readonly Mutant[] = [
  inCli({
    id: "cli-erases-a-store-by-slip",
    breaks: "A forgotten option removes the payments of a whole shop.",
    file: "commands/erase.ts",
    find: `  if (args.flags.has("yes")) return (ledger)`,
    replace: "  if (args.flags.size >= 0) return (ledger)",
    test: "ledger-commands",
    title: "tillkit erase removes a whole store only with --yes",
  }),
  inCli({
    id: "cli-erases-the-first-order-only",
    breaks: "A customer asked for all orders to be erased, and only the first order is erased.",
    file: "commands/erase.ts",
    find: "    const orders = orderIds.map(",
    replace: "    const orders = orderIds.slice(0, 1).map(",
    test: "ledger-commands",
    title: "tillkit erase erases every named order whose payment is finished",
  }),
];
