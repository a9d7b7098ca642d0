import type { Money } from "@tillkit/core";

/** A change in the shop that a call of an app made. A repeated call changes nothing, so there is no second effect. */
export type ShopEffect = {
  readonly at: number;
  readonly kind:
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
  /** The group of the checkout, the gid of the refunded payment session, or the name of the order. */
  readonly parentId: string;
  readonly amount: Money | null;
};

/** One call of an app that reached the shop's API. */
export type ShopCall = {
  readonly at: number;
  readonly field: string;
  readonly id: string | null;
  /** `done`, `userErrors`, the code of an error, or the fault: `401`, `reset`. */
  readonly outcome: string;
};

/** The effects and calls that really happened in the shop. */
export type ShopRecord = {
  readonly effects: readonly ShopEffect[];
  readonly calls: readonly ShopCall[];
  effectsOf(kind: ShopEffect["kind"]): readonly ShopEffect[];
  callsOf(field: string): readonly ShopCall[];
};

export type WritableShopRecord = ShopRecord & {
  addEffect(effect: ShopEffect): void;
  addCall(call: ShopCall): void;
};

export function createShopRecord(): WritableShopRecord {
  const effects: ShopEffect[] = [];
  const calls: ShopCall[] = [];
  return {
    effects,
    calls,
    effectsOf: (kind) => effects.filter((effect) => effect.kind === kind),
    callsOf: (field) => calls.filter((call) => call.field === field),
    addEffect: (effect) => {
      effects.push(effect);
    },
    addCall: (call) => {
      calls.push(call);
    },
  };
}

/**
 * Sentences about what an app must never do: resolve two sessions of one checkout, refund more than was paid, or resolve and
 * reject the same session.
 */
export function findShopViolations({ effects }: ShopRecord): readonly string[] {
  return [...paidTwice(effects), ...overRefunded(effects), ...resolvedAndRejected(effects)];
}

function paidTwice(effects: readonly ShopEffect[]): readonly string[] {
  const timesResolved = new Map<string, number>();
  for (const { parentId } of effects.filter(({ kind }) => kind === "resolved")) {
    timesResolved.set(parentId, (timesResolved.get(parentId) ?? 0) + 1);
  }
  return [...timesResolved]
    .filter(([, times]) => times > 1)
    .map(([group, times]) => `The checkout ${group} was resolved ${times} times.`);
}

function overRefunded(effects: readonly ShopEffect[]): readonly string[] {
  return effects
    .filter(({ kind }) => kind === "resolved")
    .flatMap((paid) => {
      const refunded = effects
        .filter(({ kind, parentId }) => kind === "refunded" && parentId === paid.id)
        .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
      const total = paid.amount?.minor ?? 0;
      return refunded > total ? [`The payment ${paid.id} of ${total} was refunded ${refunded}.`] : [];
    });
}

function resolvedAndRejected(effects: readonly ShopEffect[]): readonly string[] {
  return effects
    .filter(
      ({ kind, id }) => kind === "resolved" && effects.some((other) => other.kind === "rejected" && other.id === id),
    )
    .map(({ id }) => `The session ${id} was resolved and rejected.`);
}
