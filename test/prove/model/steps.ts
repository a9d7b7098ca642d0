import fc from "fast-check";
import type { DisputedAmount, DisputeState } from "./service-money.ts";
import { PLAIN_SERVICE, type ServiceTraits } from "./service-traits.ts";

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
 * One action. Numbers select an existing order, payment, session, transaction, dispute, event or backup; if there is none, nothing happens.
 * `by` is the process that receives the request.
 */
export type Step =
  | { readonly kind: "start"; readonly order: number; readonly by: number }
  | { readonly kind: "pay"; readonly session: number; readonly wrong?: WrongTerms }
  | { readonly kind: "deliver"; readonly event: number; readonly as: DeliveryVariant; readonly by: number }
  | { readonly kind: "visit"; readonly payment: number; readonly to: PaymentAction; readonly by: number }
  | { readonly kind: "pay again" | "sell elsewhere"; readonly session: number }
  | { readonly kind: "dashboard refund"; readonly transaction: number; readonly all: boolean }
  | { readonly kind: "dispute"; readonly transaction: number; readonly amount: DisputedAmount }
  | { readonly kind: "change dispute"; readonly dispute: number; readonly state: DisputeState }
  | { readonly kind: "restore"; readonly backup: number }
  | { readonly kind: "recover"; readonly by: number }
  | { readonly kind: "erase"; readonly what: "orders" | "store" }
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
 * and then changes the order's total again. `refund unheard`: the service makes the refund, and its answer is lost. `refund surplus`:
 * of a second transaction. `name transaction`: a person says which transaction paid, where the service does not.
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
  | "refund unheard"
  | "refund over dispute"
  | "refund surplus"
  | "name transaction"
  | "dispute won"
  | "dispute lost";

/** `fresh id`: the same event under another id, as in a retry. `thin`: the event has no identifiers. */
export type DeliveryVariant = "sent" | "tampered" | "forged" | "fresh id" | "thin" | "twice";

export type ShopFault = "unavailable" | "lost-before-effect" | "lost-after-effect" | "error-after-effect" | "late";

/** A history up to the end of its faults. `releaseChoices` selects which of the waiting calls is released next. */
export type Script = {
  readonly store: "callback" | "read-then-write" | "write-only";
  readonly orders: number;
  readonly account: string | null;
  readonly shopLatencyMs: number;
  readonly service: ServiceTraits;
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

const dashboardRefund = step("dashboard refund", { transaction: index, all: fc.boolean() });

const plainStep = fc.oneof(
  { weight: 9, arbitrary: step("start", { order: index, by }) },
  { weight: 8, arbitrary: step("pay", { session: index }) },
  { weight: 2, arbitrary: step("pay", { session: index, wrong }) },
  { weight: 6, arbitrary: step("deliver", { event: index, as: deliveryVariant, by }) },
  { weight: 7, arbitrary: step("visit", { payment: index, to: paymentAction, by }) },
  { weight: 5, arbitrary: step("reconcile", { afterMs: waits, by }) },
  { weight: 1, arbitrary: dashboardRefund },
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

const personalAction = fc.constantFrom<PaymentAction>(
  "refund over dispute",
  "refund surplus",
  "name transaction",
  "dispute won",
  "dispute lost",
);
const amount = fc.constantFrom<DisputedAmount>("whole", "part", "more", "unknown", "other currency");
const state = fc.constantFrom<DisputeState>("lost", "won", "closed", "open");

/** What happens to the money besides checkouts: strangers' money, disputes, second transactions, and accidents of the ledger. */
const moneyStep = fc.oneof(
  { weight: 30, arbitrary: plainStep },
  { weight: 4, arbitrary: step("pay", { session: index }) },
  { weight: 4, arbitrary: step("deliver", { event: fc.nat({ max: 7 }), as: deliveryVariant, by }) },
  { weight: 4, arbitrary: step("visit", { payment: index, to: personalAction, by }) },
  { weight: 3, arbitrary: step("sell elsewhere", { session: index }) },
  { weight: 2, arbitrary: step("pay again", { session: index }) },
  { weight: 3, arbitrary: dashboardRefund },
  { weight: 4, arbitrary: step("dispute", { transaction: index, amount }) },
  { weight: 3, arbitrary: step("change dispute", { dispute: index, state }) },
  { weight: 1, arbitrary: step("restore", { backup: fc.nat({ max: 24 }) }) },
  { weight: 1, arbitrary: step("recover", { by }) },
  { weight: 1, arbitrary: step("erase", { what: fc.constantFrom("orders" as const, "store" as const) }) },
);

const service: fc.Arbitrary<ServiceTraits> = fc.record({
  reads: fc.constantFrom("everything" as const, "everything" as const, "codes" as const, "nothing" as const),
  events: fc.constantFrom("everything" as const, "session" as const, "transaction" as const),
  reason: fc.constantFrom("kept" as const, "cut" as const, "dropped" as const, "changed" as const),
  refundsDisputed: fc.boolean(),
});

function scriptsOf(traits: fc.Arbitrary<ServiceTraits>, anyStep: typeof moneyStep): fc.Arbitrary<Script> {
  return fc.record({
    store: fc.constantFrom("callback", "read-then-write", "write-only"),
    orders: fc.constantFrom(1, 2),
    account: fc.constantFrom(null, "acct_member"),
    shopLatencyMs: fc.constantFrom(0, 0, 1_500),
    service: traits,
    steps: fc.array(anyStep, { maxLength: 24, size: "max" }),
    releaseChoices: fc.array(fc.nat({ max: 5 }), { maxLength: 30, size: "max" }),
  });
}

/** Half of the histories are about checkouts alone. */
export const scripts: fc.Arbitrary<Script> = fc.oneof(
  scriptsOf(fc.constant(PLAIN_SERVICE), plainStep),
  scriptsOf(service, moneyStep),
);
