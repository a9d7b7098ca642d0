import { setTimeout as sleep } from "node:timers/promises";
import type { Resources } from "../kills/resources.ts";
import { runShopLife } from "../kills/run-shop-life.ts";
import { openPair, type Pair } from "./pair.ts";
import { type Kind, strikes } from "./rounds.ts";

/** The acts of a shop's life (`liveAsShop`): it connects, changes its link secret, changes its key, moves, and leaves to come back. */
const ACTS = 5;
const LIFE_KINDS = ["killed", "silent", "old primary returns"] as const satisfies readonly Kind[];

/** Each act of a shop's life with each way in which the machine of the ledger dies meanwhile. */
export const LIVES = LIFE_KINDS.flatMap((kind) =>
  Array.from({ length: ACTS }, (_, index) => ({ kind, act: index + 1 })),
);

/** Owners connect, rotate, move and disconnect shops. The machine of the ledger dies this long after the act began. */
export async function playLife(
  resources: Resources,
  { kind, act }: (typeof LIVES)[number],
  strikeAfterMs: number,
): Promise<readonly string[]> {
  const pair = await openPair({ synchronous: true });
  let struck: Promise<readonly string[]> = Promise.resolve(["The shop's life ended before the machine died."]);
  try {
    const { violations } = await runShopLife({ ...resources, createDatabase: async () => pair.url }, "postgres", {
      kind: "ledger",
      beforeAct(begun) {
        if (begun !== act) return;
        struck = strikeLater(pair, kind, strikeAfterMs);
        // A failure is thrown below, where the promise is awaited.
        struck.catch(() => {});
      },
    });
    return [...violations, ...(await struck)];
  } finally {
    await pair.close();
  }
}

async function strikeLater(pair: Pair, kind: (typeof LIFE_KINDS)[number], afterMs: number): Promise<readonly string[]> {
  await sleep(afterMs);
  return await strikes[kind](pair);
}
