import { CheckoutError } from "@tillkit/core";
import { canList } from "@tillkit/runtime";
import { serverLimits } from "../limits.ts";
import type { MultiLedgerOptions, NamedLedger } from "./multi-ledger-options.ts";

const NAME = new RegExp(`^[a-z0-9][a-z0-9-]{0,${serverLimits.maxLedgerNameLength - 1}}$`);

/** @throws CheckoutError `configuration_invalid`; its message has one sentence for each mistake and contains no key */
export function validateLedgers({ ledgers }: MultiLedgerOptions): void {
  if (!Array.isArray(ledgers) || ledgers.length === 0) throw invalid(["ledgers is empty: name at least one."]);
  const names = ledgers.map(({ name }) => name);
  const keys = ledgers.flatMap((ledger) => [...new Set(ledger.keys ?? [])]);
  const mistakes = names.flatMap(nameMistakes);
  if (hasDuplicates(names)) mistakes.push("Two of ledgers have the same name: names must differ.");
  if (hasDuplicates(keys)) {
    mistakes.push(
      "Two of ledgers share a key: a payment could be recovered into the wrong ledger. Give each keys of its own.",
    );
  }
  mistakes.push(...ledgers.flatMap(ledgerMistakes));
  if (hasDuplicates(ledgers.map(({ ledger }) => ledger))) {
    mistakes.push("Two of ledgers are the same database: open one for each.");
  }
  if (mistakes.length > 0) throw invalid(mistakes);
}

function nameMistakes(name: unknown, index: number): string[] {
  if (typeof name === "string" && NAME.test(name)) return [];
  return [
    `ledgers[${index}].name must be a part of an address: 1 to ${serverLimits.maxLedgerNameLength} of a-z, 0-9 and -.`,
  ];
}

function ledgerMistakes({ ledger }: NamedLedger, index: number): string[] {
  if (ledger && canList(ledger)) return [];
  return [`ledgers[${index}].ledger is missing: open one with openLedger(url) of @tillkit/ledger.`];
}

function hasDuplicates(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}

function invalid(mistakes: readonly string[]): CheckoutError {
  return new CheckoutError("configuration_invalid", mistakes.join("\n"));
}
