import { normalBase } from "@tillkit/client";
import { CheckoutError, type PaymentLedger } from "@tillkit/core";
import { serverLimits } from "../limits.ts";
import type { CheckoutServerOptions } from "./checkout-options.ts";
import { addressMistakes, lengthMistakes } from "./mistake-sentences.ts";
import { operatorMistakes } from "./operator-mistakes.ts";
import { storeMistakes } from "./store-mistakes.ts";

export type ValidOptions = {
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly keys: readonly [string, ...string[]];
};

/** @throws CheckoutError `configuration_invalid`; its message has one sentence for each mistake and contains no key or secret */
export function validateOptions(options: CheckoutServerOptions): ValidOptions {
  const mistakes = [
    ...addressMistakes(options.publicUrl, "publicUrl", "base"),
    ...keyMistakes(options.keys),
    ...ledgerMistakes(options.ledger),
    ...storeMistakes(options),
    // These checks ask the ledger whether it can list and prune. A missing ledger has its own sentence above.
    ...(options.ledger ? operatorMistakes(options) : []),
  ];
  const [newest, ...older] = options.keys ?? [];
  if (mistakes.length > 0 || newest === undefined) {
    throw new CheckoutError("configuration_invalid", mistakes.join("\n"));
  }
  return { publicUrl: normalBase(options.publicUrl), keys: [newest, ...older] };
}

function keyMistakes(keys: unknown): string[] {
  if (!Array.isArray(keys) || keys.length === 0) {
    return [
      "keys is empty: give at least one secret of 32 characters or more, for example from `openssl rand -hex 32`.",
    ];
  }
  return keys.flatMap((key: unknown, index) => lengthMistakes(key, `keys[${index}]`, serverLimits.minKeyLength));
}

function ledgerMistakes(ledger: PaymentLedger | undefined): string[] {
  const isLedger = typeof ledger?.commit === "function" && typeof ledger.claim === "function";
  return isLedger ? [] : ["ledger is missing: open one with openLedger(url) of @tillkit/ledger."];
}
