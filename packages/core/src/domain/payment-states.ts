/**
 * The life of a payment: row = where it is, column = the fact that was learned, cell = where it goes, `.` = it stays.
 *
 * intent: the row before the POST · superseded: a newer payment of the order exists · verified: paid, the store is not yet
 * sure · recorded: the store shows it · review, duplicate: money is here, the order is not paid by it · closed: nobody asks any more.
 * A payment under review for which no money was ever read leaves it again when the service reports its session as unpaid.
 * Cancelled and failed are lines of the story, not states: the service has no such session state.
 */
export type PaymentState = keyof typeof TABLE;

export type Fact = (typeof FACTS)[number];

// biome-ignore format: a table is read by its columns
const FACTS = [       "opened", "refused", "waiting", "replaced",   "lapsed",  "paid",     "mismatch", "duplicate", "storeHasIt", "storeRefuses", "accepted", "refundAsked", "refundFailed", "refundDone", "graceOver"] as const;
// biome-ignore format: a table is read by its columns
const TABLE = {
  intent:     [       "open",   "closed",  ".",       "superseded", "expired", "verified", "review",   "duplicate", ".",          ".",            ".",        ".",           ".",            ".",          "closed"],
  open:       [       ".",      ".",       ".",       "superseded", "expired", "verified", "review",   "duplicate", ".",          ".",            ".",        ".",           ".",            "refunded",   "closed"],
  superseded: [       ".",      ".",       ".",       ".",          "expired", "verified", "review",   "duplicate", ".",          ".",            ".",        ".",           ".",            "refunded",   "closed"],
  expired:    [       ".",      ".",       ".",       ".",          ".",       "verified", "review",   "duplicate", ".",          ".",            ".",        ".",           ".",            "refunded",   "closed"],
  closed:     [       ".",      ".",       ".",       ".",          ".",       "verified", "review",   "duplicate", ".",          ".",            ".",        ".",           ".",            "refunded",   "."],
  verified:   [       ".",      ".",       ".",       ".",          ".",       ".",        "review",   "duplicate", "recorded",   "review",       ".",        "refunding",   ".",            "refunded",   "."],
  review:     [       ".",      ".",       "superseded", ".",       "expired", "verified", ".",        "duplicate", "recorded",   ".",            "verified", "refunding",   ".",            "refunded",   "closed"],
  duplicate:  [       ".",      ".",       ".",       ".",          ".",       "verified", ".",        ".",         ".",          ".",            ".",        "refunding",   ".",            "refunded",   "."],
  recorded:   [       ".",      ".",       ".",       ".",          ".",       ".",        ".",        ".",         ".",          ".",            ".",        ".",           ".",            "refunded",   "."],
  refunding:  [       ".",      ".",       ".",       ".",          ".",       ".",        ".",        ".",         ".",          ".",            ".",        ".",           "review",       "refunded",   "."],
  refunded:   [       ".",      ".",       ".",       ".",          ".",       ".",        ".",        ".",         ".",          ".",            ".",        ".",           ".",            ".",          "."],
} as const satisfies Record<string, readonly string[]>;

export const PAYMENT_STATES = Object.keys(TABLE) as readonly PaymentState[];
export const PAYMENT_FACTS: readonly Fact[] = FACTS;

/** Where a payment goes when a fact was learned. Total: every state knows every fact. */
export function afterFact(state: PaymentState, fact: Fact): PaymentState {
  const next = TABLE[state][FACTS.indexOf(fact)] ?? ".";
  return next === "." ? state : (next as PaymentState);
}
