import fc from "fast-check";

/** How a payment can be wrong. `unsaid`: the service's answers also omit the wrong field. */
export type WrongTerms =
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
 * One action. Numbers select an existing order, payment, session or event; if there is none, nothing happens.
 * `by` is the process that receives the request.
 */
export type Step =
  | { readonly kind: "start"; readonly order: number; readonly by: number }
  | { readonly kind: "pay"; readonly session: number; readonly wrong?: WrongTerms }
  | { readonly kind: "deliver"; readonly event: number; readonly as: DeliveryVariant; readonly by: number }
  | { readonly kind: "visit"; readonly payment: number; readonly to: PaymentAction; readonly by: number }
  | { readonly kind: "dashboard refund"; readonly session: number; readonly all: boolean }
  | { readonly kind: "edit"; readonly order: number; readonly minor: number }
  | { readonly kind: "close" | "take cash" | "complete cart"; readonly order: number }
  | { readonly kind: "reconcile"; readonly afterMs: number; readonly by: number }
  | { readonly kind: "rotate secret" }
  | { readonly kind: "restart"; readonly by: number }
  | { readonly kind: "shop fails"; readonly how: ShopFault }
  | { readonly kind: "service fails"; readonly how: "down" | "answer lost"; readonly calls: number };

export type StepOf<Name extends Step["kind"]> = Extract<Step, { readonly kind: Name }>;

/**
 * An action of the shopper or the owner on a payment. `accept and edit`: the owner accepts while the shop rejects writes,
 * and then changes the order's total again. `refund unheard`: the service makes the refund, and its answer is lost.
 */
export type PaymentAction =
  | "return"
  | "watch"
  | "cancel"
  | "accept"
  | "accept and edit"
  | "refund review"
  | "refund all"
  | "refund some"
  | "refund unheard";

/** `fresh id`: the same event under another id, as in a retry. `thin`: the event has no identifiers. */
export type DeliveryVariant = "sent" | "tampered" | "forged" | "fresh id" | "thin" | "twice";

export type ShopFault = "unavailable" | "lost-before-effect" | "lost-after-effect" | "error-after-effect" | "late";

/** A history up to the end of its faults. `releaseChoices` selects which of the waiting calls is released next. */
export type Script = {
  readonly store: "callback" | "read-then-write" | "write-only";
  readonly orders: number;
  readonly account: string | null;
  readonly shopLatencyMs: number;
  /** `callsReleased`: the number of waiting calls that are released after the step. */
  readonly steps: readonly (Step & { readonly callsReleased: number })[];
  readonly releaseChoices: readonly number[];
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const by = fc.nat({ max: 1 });
const index = fc.nat({ max: 3 });
// Often all calls are answered before the next step, and just as often none.
const callsReleased = fc.oneof(
  { weight: 4, arbitrary: fc.constant(40) },
  { weight: 3, arbitrary: fc.nat({ max: 6 }) },
  { weight: 2, arbitrary: fc.constant(0) },
);

function step<Name extends Step["kind"], Rest>(name: Name, rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> }) {
  return fc.record({ kind: fc.constant(name), ...rest, callsReleased }) as fc.Arbitrary<
    { kind: Name; callsReleased: number } & Rest
  >;
}

const wrong = fc.constantFrom<WrongTerms>(
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
const deliveryVariant = fc.oneof(
  { weight: 5, arbitrary: fc.constant<DeliveryVariant>("sent") },
  fc.constantFrom<DeliveryVariant>("twice", "fresh id", "tampered", "forged", "thin"),
);
const paymentAction = fc.oneof(
  { weight: 4, arbitrary: fc.constant<PaymentAction>("return") },
  fc.constantFrom<PaymentAction>(
    "watch",
    "cancel",
    "accept",
    "accept and edit",
    "refund review",
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
  { weight: 9, arbitrary: step("start", { order: index, by }) },
  { weight: 8, arbitrary: step("pay", { session: index }) },
  { weight: 2, arbitrary: step("pay", { session: index, wrong }) },
  { weight: 6, arbitrary: step("deliver", { event: index, as: deliveryVariant, by }) },
  { weight: 7, arbitrary: step("visit", { payment: index, to: paymentAction, by }) },
  { weight: 5, arbitrary: step("reconcile", { afterMs: waits, by }) },
  { weight: 1, arbitrary: step("dashboard refund", { session: index, all: fc.boolean() }) },
  { weight: 2, arbitrary: step("edit", { order: index, minor: fc.constantFrom(100, 5_000, 7_500) }) },
  { weight: 1, arbitrary: step("close", { order: index }) },
  { weight: 1, arbitrary: step("take cash", { order: index }) },
  { weight: 1, arbitrary: step("complete cart", { order: index }) },
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
  releaseChoices: fc.array(fc.nat({ max: 5 }), { maxLength: 30, size: "max" }),
});
