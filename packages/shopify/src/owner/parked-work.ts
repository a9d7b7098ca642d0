import type { Desk } from "../app/desk.ts";

/** Work that waits for the owner of a shop. */
export type ParkedWork = { readonly kind: "money" | "hooks"; readonly key: string; readonly why: string };

export async function parkedWork({ errands }: Desk, shop: string): Promise<readonly ParkedWork[]> {
  const [money, hooks] = await Promise.all([errands.money.parked(shop), errands.hooks.parked(shop)]);
  return [
    ...money.map(({ key, why }) => ({ kind: "money" as const, key, why: why ?? "" })),
    ...hooks.map(({ key, why }) => ({ kind: "hooks" as const, key, why: why ?? "" })),
  ];
}

export async function replayWork({ errands }: Desk, shop: string, kind: string, key: string): Promise<void> {
  if (kind === "money" || kind === "hooks") await errands[kind].replay(shop, key);
}
