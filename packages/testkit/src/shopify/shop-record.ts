import type { Money } from "@tillkit/core";

/** One thing that changed in the shop because an app said so. What an app repeats changes nothing and is not here. */
export type ShopEffect = {
  readonly at: number;
  readonly what:
    | "resolved"
    | "rejected"
    | "pending"
    | "refunded"
    | "refund-rejected"
    | "captured"
    | "capture-rejected"
    | "voided"
    | "void-rejected"
    | "order-paid";
  /** The gid of the session or order. */
  readonly id: string;
  /** The checkout's group, or the order's name. */
  readonly of: string;
  readonly amount: Money | null;
};

/** One call of an app that reached the shop's API. */
export type ShopCall = {
  readonly at: number;
  readonly field: string;
  readonly id: string | null;
  /** `done`, `userErrors`, the code of an error, or what broke: `401`, `reset`. */
  readonly outcome: string;
};

/** What the shop itself recorded, for whoever asks what really happened. */
export type ShopRecord = {
  readonly effects: readonly ShopEffect[];
  readonly calls: readonly ShopCall[];
  of(what: ShopEffect["what"]): readonly ShopEffect[];
  callsOf(field: string): readonly ShopCall[];
};

export type ShopBook = ShopRecord & {
  note(effect: ShopEffect): void;
  call(call: ShopCall): void;
};

export function createShopBook(): ShopBook {
  const effects: ShopEffect[] = [];
  const calls: ShopCall[] = [];
  return {
    effects,
    calls,
    of: (what) => effects.filter((effect) => effect.what === what),
    callsOf: (field) => calls.filter((call) => call.field === field),
    note: (effect) => {
      effects.push(effect);
    },
    call: (call) => {
      calls.push(call);
    },
  };
}

/**
 * In sentences, what an app did that must not be: two payments of one checkout, more given back than was paid, a checkout
 * that was paid and refused by the same session.
 */
export function brokenShopPromises({ effects }: ShopRecord): readonly string[] {
  return [...paidTwice(effects), ...overRefunded(effects), ...bothWays(effects)];
}

function paidTwice(effects: readonly ShopEffect[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { what, of } of effects) if (what === "resolved") counts.set(of, (counts.get(of) ?? 0) + 1);
  return [...counts]
    .filter(([, times]) => times > 1)
    .map(([of, times]) => `The checkout ${of} was resolved ${times} times.`);
}

function overRefunded(effects: readonly ShopEffect[]): readonly string[] {
  return effects
    .filter(({ what }) => what === "resolved")
    .flatMap((paid) => {
      const back = effects
        .filter(({ what, of }) => what === "refunded" && of === paid.id)
        .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
      const most = paid.amount?.minor ?? 0;
      return back > most ? [`The payment ${paid.id} of ${most} was refunded ${back}.`] : [];
    });
}

function bothWays(effects: readonly ShopEffect[]): readonly string[] {
  return effects
    .filter(({ what, id }) => what === "resolved" && effects.some((o) => o.what === "rejected" && o.id === id))
    .map(({ id }) => `The session ${id} was resolved and rejected.`);
}
