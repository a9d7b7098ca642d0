/**
 * The transitions of a payment. Row: the current state. Column: the fact that was learned. Cell: the next state; `.` keeps the
 * current state.
 *
 * intent: stored before the POST that opens the session · open: the session is open · superseded: the order has a newer payment ·
 * expired: the session has expired, and a late success still counts · verified: paid according to the service, the store may not
 * show it yet · recorded: the store shows the payment · review: money arrived with a difference · duplicate: money arrived for an
 * order that another payment has paid · closed: no scheduled reads are left.
 * A payment under review for which no amount was ever read leaves review when the service reports its session as unpaid.
 * A cancelled or failed attempt is a timeline entry and no state, because the service has no such session state.
 */
export type PaymentState = keyof typeof TABLE;

export type Fact = (typeof FACTS)[number];

// biome-ignore format: a table is read by its columns
const FACTS = [       "opened", "refused", "waiting",    "replaced",   "sessionExpired",  "paid",     "mismatch", "duplicate", "storeHasIt", "storeRefuses", "accepted", "refundRequested", "refundFailed", "refundDone", "graceOver"] as const;
// biome-ignore format: a table is read by its columns
const TABLE = {
  intent:     [       "open",   "closed",  ".",          "superseded", "expired", "verified", "review",   "duplicate", ".",          ".",            ".",        ".",               ".",            ".",          "closed"],
  open:       [       ".",      ".",       ".",          "superseded", "expired", "verified", "review",   "duplicate", ".",          ".",            ".",        ".",               ".",            "refunded",   "closed"],
  superseded: [       ".",      ".",       ".",          ".",          "expired", "verified", "review",   "duplicate", ".",          ".",            ".",        ".",               ".",            "refunded",   "closed"],
  expired:    [       ".",      ".",       ".",          ".",          ".",       "verified", "review",   "duplicate", ".",          ".",            ".",        ".",               ".",            "refunded",   "closed"],
  closed:     [       ".",      ".",       ".",          ".",          ".",       "verified", "review",   "duplicate", ".",          ".",            ".",        ".",               ".",            "refunded",   "."],
  verified:   [       ".",      ".",       ".",          ".",          ".",       ".",        "review",   "duplicate", "recorded",   "review",       ".",        "refunding",       ".",            "refunded",   "."],
  review:     [       ".",      ".",       "superseded", ".",          "expired", "verified", ".",        "duplicate", "recorded",   ".",            "verified", "refunding",       ".",            "refunded",   "closed"],
  duplicate:  [       ".",      ".",       ".",          ".",          ".",       "verified", ".",        ".",         ".",          ".",            ".",        "refunding",       ".",            "refunded",   "."],
  recorded:   [       ".",      ".",       ".",          ".",          ".",       ".",        ".",        ".",         ".",          ".",            ".",        ".",               ".",            "refunded",   "."],
  refunding:  [       ".",      ".",       ".",          ".",          ".",       ".",        ".",        ".",         ".",          ".",            ".",        ".",               "review",       "refunded",   "."],
  refunded:   [       ".",      ".",       ".",          ".",          ".",       ".",        ".",        ".",         ".",          ".",            ".",        ".",               ".",            ".",          "."],
} as const satisfies Record<string, readonly string[]>;

export const PAYMENT_STATES = Object.keys(TABLE) as readonly PaymentState[];
/** A payment in one of these states waits for nothing: nothing more will be written to its store. */
export const FINAL_STATES: ReadonlySet<PaymentState> = new Set(["recorded", "refunded", "closed"]);
/** The money of a payment in one of these states has arrived, whatever became of its order. */
export const ARRIVED_STATES: ReadonlySet<PaymentState> = new Set([
  "verified",
  "recorded",
  "review",
  "duplicate",
  "refunding",
  "refunded",
]);
export const PAYMENT_FACTS: readonly Fact[] = FACTS;

/** Whether a payment in this state pays its order: the store shows it, or is being told of it. */
export function isPaying({ state }: { readonly state: PaymentState }): boolean {
  return state === "verified" || state === "recorded";
}

/** The next state after a fact. Every state handles every fact. */
export function afterFact(state: PaymentState, fact: Fact): PaymentState {
  const next = TABLE[state][FACTS.indexOf(fact)] ?? ".";
  return next === "." ? state : (next as PaymentState);
}
