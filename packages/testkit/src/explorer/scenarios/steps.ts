import type { MiniatureStore } from "../../stores/miniature-store.ts";
import type { Act } from "../act.ts";
import type { Scenario } from "../scenario.ts";

const MINUTE = 60_000;

/** The shopper has paid, and nobody has told us. */
export const PAID: readonly Act[] = [{ do: "start" }, { do: "pay" }];

/** The order is marked paid. */
export const RECORDED: readonly Act[] = [...PAID, { do: "deliver" }];

/** The shopper came back shortly before the first page expired, and paid on both pages. */
export const PAID_TWICE: readonly Act[] = [
  { do: "start" },
  { do: "start", afterMs: 51 * MINUTE },
  { do: "pay", payment: 0 },
  { do: "pay", payment: 1 },
];

/** A payment of another amount waits for its owner. */
export const HELD: readonly Act[] = [{ do: "start" }, { do: "pay", wrong: { amount: 4_900 } }, { do: "deliver" }];

type Kind = MiniatureStore["kind"];

const SUFFIX: Readonly<Record<Kind, string>> = {
  callback: "conditional",
  "read-then-write": "read-then-write",
  "write-only": "write-only",
};

/** The same scenario on several miniature stores, named `name/kind`. */
export function on(kinds: readonly Kind[], scenario: Omit<Scenario, "store">): readonly Scenario[] {
  return kinds.map((store) => ({ ...scenario, store, name: `${scenario.name}/${SUFFIX[store]}` }));
}

export const ALL_KINDS: readonly Kind[] = ["callback", "read-then-write", "write-only"];
export const READABLE: readonly Kind[] = ["callback", "read-then-write"];
export const READ_THEN_WRITE: readonly Kind[] = ["read-then-write"];
