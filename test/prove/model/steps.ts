import fc from "fast-check";

/** How a payment can be what it should not be. `unsaid`: and the service's answers leave out just that. */
export type Wrong =
  | "amount less"
  | "amount more"
  | "amount unsaid"
  | "currency"
  | "currency unsaid"
  | "reference"
  | "reference unsaid"
  | "account"
  | "environment";

/**
 * One thing that somebody does. Numbers pick an order, a payment, a session or an event out of those that there are; where
 * there is none, nothing happens. `by` is the process of ours that gets the request.
 */
export type Step =
  | { readonly do: "start"; readonly order: number; readonly by: number }
  | { readonly do: "pay"; readonly session: number; readonly wrong?: Wrong }
  | { readonly do: "deliver"; readonly event: number; readonly as: Manner; readonly by: number }
  | { readonly do: "visit"; readonly payment: number; readonly to: Errand; readonly by: number }
  | { readonly do: "dashboard refund"; readonly session: number; readonly all: boolean }
  | { readonly do: "edit"; readonly order: number; readonly minor: number }
  | { readonly do: "close" | "take cash" | "complete cart"; readonly order: number }
  | { readonly do: "reconcile"; readonly afterMs: number; readonly by: number }
  | { readonly do: "rotate secret" }
  | { readonly do: "restart"; readonly by: number }
  | { readonly do: "shop fails"; readonly how: ShopFault }
  | { readonly do: "service fails"; readonly how: "down" | "answer lost"; readonly calls: number };

export type Doing<Name extends Step["do"]> = Extract<Step, { readonly do: Name }>;

/**
 * What a shopper, or the owner, wants of a payment. `accept and edit`: while the shop takes no writes, and then the
 * order costs something else again. `refund unheard`: the service does it, and its answer is lost.
 */
export type Errand =
  | "return"
  | "watch"
  | "cancel"
  | "accept"
  | "accept and edit"
  | "give back"
  | "refund all"
  | "refund some"
  | "refund unheard";

/** `fresh id`: the same event under another id, as its retries may be. `thin`: it names nothing. */
export type Manner = "sent" | "tampered" | "forged" | "fresh id" | "thin" | "twice";

export type ShopFault = "unavailable" | "lost-before-effect" | "lost-after-effect" | "error-after-effect" | "late";

/** A whole history, before everything heals. `turns` picks who goes on when several calls are under way. */
export type Script = {
  readonly store: "callback" | "read-then-write" | "write-only";
  readonly orders: number;
  readonly account: string | null;
  readonly shopLatencyMs: number;
  /** After each step so many waiting calls go on. */
  readonly steps: readonly (Step & { readonly after: number })[];
  readonly turns: readonly number[];
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const by = fc.nat({ max: 1 });
const which = fc.nat({ max: 3 });
// Often everybody gets an answer before the next thing happens; just as often nobody does.
const after = fc.oneof(
  { weight: 4, arbitrary: fc.constant(40) },
  { weight: 3, arbitrary: fc.nat({ max: 6 }) },
  { weight: 2, arbitrary: fc.constant(0) },
);

function step<Name extends Step["do"], Rest>(name: Name, rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> }) {
  return fc.record({ do: fc.constant(name), ...rest, after }) as fc.Arbitrary<{ do: Name; after: number } & Rest>;
}

const wrong = fc.constantFrom<Wrong>(
  "amount less",
  "amount more",
  "amount unsaid",
  "currency",
  "currency unsaid",
  "reference",
  "reference unsaid",
  "account",
  "environment",
);
const manner = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Manner>("sent") },
  fc.constantFrom<Manner>("twice", "fresh id", "tampered", "forged", "thin"),
);
const errand = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Errand>("return") },
  fc.constantFrom<Errand>(
    "watch",
    "cancel",
    "accept",
    "accept and edit",
    "give back",
    "refund all",
    "refund some",
    "refund unheard",
  ),
);
const fault = fc.constantFrom<ShopFault>(
  "unavailable",
  "lost-before-effect",
  "lost-after-effect",
  "error-after-effect",
  "late",
);
const waits = fc.constantFrom(0, 3 * SECOND, 20 * SECOND, 2 * MINUTE, 10 * MINUTE, 65 * MINUTE, 25 * HOUR);
const calls = fc.nat({ max: 3 });

const anyStep = fc.oneof(
  { weight: 9, arbitrary: step("start", { order: which, by }) },
  { weight: 8, arbitrary: step("pay", { session: which }) },
  { weight: 2, arbitrary: step("pay", { session: which, wrong }) },
  { weight: 6, arbitrary: step("deliver", { event: which, as: manner, by }) },
  { weight: 7, arbitrary: step("visit", { payment: which, to: errand, by }) },
  { weight: 5, arbitrary: step("reconcile", { afterMs: waits, by }) },
  { weight: 1, arbitrary: step("dashboard refund", { session: which, all: fc.boolean() }) },
  { weight: 2, arbitrary: step("edit", { order: which, minor: fc.constantFrom(100, 5_000, 7_500) }) },
  { weight: 1, arbitrary: step("close", { order: which }) },
  { weight: 1, arbitrary: step("take cash", { order: which }) },
  { weight: 1, arbitrary: step("complete cart", { order: which }) },
  { weight: 1, arbitrary: step("rotate secret", {}) },
  { weight: 2, arbitrary: step("restart", { by }) },
  { weight: 2, arbitrary: step("shop fails", { how: fault }) },
  {
    weight: 2,
    arbitrary: step("service fails", { how: fc.constantFrom("down" as const, "answer lost" as const), calls }),
  },
);

export const scripts: fc.Arbitrary<Script> = fc.record({
  store: fc.constantFrom("callback", "read-then-write", "write-only"),
  orders: fc.constantFrom(1, 2),
  account: fc.constantFrom(null, "acct_member"),
  shopLatencyMs: fc.constantFrom(0, 0, 1_500),
  steps: fc.array(anyStep, { maxLength: 24, size: "max" }),
  turns: fc.array(fc.nat({ max: 5 }), { maxLength: 30, size: "max" }),
});
