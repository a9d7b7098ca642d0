import type { Register } from "./linearizable.ts";

/** The payment states that the histories use. An order has at most one open and one recorded payment, and any number of superseded ones. */
export type MarkedState = "open" | "recorded" | "superseded";

/** A payment with a number of its own for each write: `mark`. */
export type MarkedPayment = {
  readonly id: string;
  readonly version: number;
  readonly state: MarkedState;
  readonly mark: number;
};

/** Times and leases in milliseconds. */
export type OrderOp =
  | { readonly kind: "lock"; readonly now: number; readonly leaseMs: number; readonly result: number | null }
  | {
      readonly kind: "renew";
      readonly fence: number;
      readonly now: number;
      readonly leaseMs: number;
      readonly result: boolean;
    }
  | { readonly kind: "unlock"; readonly fence: number }
  | {
      readonly kind: "commit";
      readonly fence: number | null;
      readonly next: MarkedPayment;
      readonly result: "done" | "stale" | "taken";
    }
  | { readonly kind: "read"; readonly result: readonly MarkedPayment[] };

type OrderState = {
  readonly fence: number;
  /** Until when the lease is held, or null. */
  readonly until: number | null;
  readonly payments: readonly MarkedPayment[];
};

/** Models one order as the ledger's contract defines it: its lease, its fence and its payments. */
export const orderRegister: Register<OrderState, OrderOp> = {
  start: { fence: 0, until: null, payments: [] },
  keyOf: ({ fence, until, payments }) => `${fence} ${until} ${sortedText(payments)}`,
  step(state, op) {
    switch (op.kind) {
      case "lock":
        return afterLock(state, op);
      case "renew": {
        const holds = state.until !== null && state.fence === op.fence;
        if (op.result !== holds) return null;
        return holds ? { ...state, until: op.now + op.leaseMs } : state;
      }
      case "unlock":
        return state.fence === op.fence ? { ...state, until: null } : state;
      case "commit":
        return afterCommit(state, op);
      case "read":
        return sortedText(op.result) === sortedText(state.payments) ? state : null;
    }
  },
};

function afterLock(state: OrderState, { now, leaseMs, result }: Extract<OrderOp, { kind: "lock" }>): OrderState | null {
  const held = state.until !== null && state.until > now;
  if (held) return result === null ? state : null;
  return result !== null && result > state.fence ? { ...state, fence: result, until: now + leaseMs } : null;
}

function afterCommit(
  state: OrderState,
  { fence, next, result }: Extract<OrderOp, { kind: "commit" }>,
): OrderState | null {
  if (result !== expectedResult(state, fence, next)) return null;
  if (result !== "done") return state;
  const known = state.payments.some(({ id }) => id === next.id);
  const payments = known
    ? state.payments.map((payment) => (payment.id === next.id ? next : payment))
    : [...state.payments, next];
  return { ...state, payments };
}

function expectedResult(
  { fence: newest, payments }: OrderState,
  fence: number | null,
  next: MarkedPayment,
): "done" | "stale" | "taken" {
  if (fence !== null && fence !== newest) return "stale";
  const version = payments.find(({ id }) => id === next.id)?.version ?? 0;
  if (version !== next.version - 1) return "stale";
  const conflicts = payments.some(({ id, state }) => id !== next.id && state === next.state && state !== "superseded");
  return conflicts ? "taken" : "done";
}

// A ledger lists payments by their creation time, which may differ from the sequence of their commits, so both sides are sorted.
function sortedText(payments: readonly MarkedPayment[]): string {
  return payments.map(textOf).sort().join();
}

function textOf({ id, version, state, mark }: MarkedPayment): string {
  return `${id} ${version} ${state} ${mark}`;
}
