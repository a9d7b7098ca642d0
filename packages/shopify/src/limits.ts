const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every bound of the app server, in one place. Times in milliseconds. */
export const shopifyLimits = {
  /** A signed query older than this is somebody's history. */
  queryAgeMs: 90 * SECOND,
  /** How far the clocks of a session token's maker and ours may differ. */
  tokenSkewMs: 10 * SECOND,
  /** The owner reads what the app asks for, and decides. */
  stateMs: 10 * MINUTE,
  /** How long a shop's owner may work on the settings without opening the app anew. */
  ownerSessionMs: 2 * HOUR,
  /** From the frame in the shop's admin to our own page. */
  ticketMs: 5 * MINUTE,
  /** An access token is renewed so long before it ends … */
  renewBeforeMs: 5 * MINUTE,
  /** … by one process at a time, which has so long for it; the others look again after a moment. */
  renewLeaseMs: 20 * SECOND,
  renewLookMs: 250,
  /** One request to Shopify. With a renewed token and a second try it stays below the 20 s of one call of an adapter. */
  callMs: 6 * SECOND,
  /** Shopify asks us to wait: so long at most within a call, later calls of this shop fail at once. */
  throttledMs: 2 * SECOND,
  throttledTries: 3,
  /** A shop that did not answer so many calls in a row is left alone, longer and longer. */
  silentCalls: 3,
  silentFirstMs: 5 * SECOND,
  silentLongestMs: MINUTE,
  answerBytes: 4 * 1024 * 1024,
  /** Bodies: of a session request, of a webhook (a whole order), of the settings form. */
  sessionBytes: 64 * 1024,
  webhookBytes: 2 * 1024 * 1024,
  formBytes: 16 * 1024,
  /** Shopify refuses a pending payment that waits longer than three days. */
  pendingMs: 3 * DAY - MINUTE,
  /** So long after its last post Shopify may not have our answer to it yet, and refuses to resolve the payment. */
  answerMayBeLostMs: 15 * MINUTE,
  /** A refund under way: our ledger is looked at so often, the service at these waits after it was asked, then every ten minutes. */
  refundLookMs: 5 * SECOND,
  refundReadsMs: [15, 30, 60, 120, 300].map((seconds) => seconds * SECOND),
  refundReadEveryMs: 10 * MINUTE,
  /** What was done is remembered so long, against what is posted or delivered again. */
  rememberMs: 30 * DAY,
  /** Shopify gives 30 days to erase; what is not final yet is tried again after this. */
  eraseAgainMs: 12 * HOUR,
  /** A write to an order whose answer was lost may land so long after it was sent. */
  settleAfterMs: 60 * SECOND,
  /** Nothing is sent to an order later than this after the call began: with its own six seconds it ends before anybody else may write. */
  lastSendMs: 13 * SECOND,
  /** Pages of orders, and how many of them one look reads. */
  orderRows: 20,
  orderPages: 100,
  /** Orders whose webhook was lost are looked for so often, and so far back. */
  announceEveryMs: 5 * MINUTE,
  announceBackMs: 2 * DAY,
  sweepEveryMs: DAY,
  sweepBackMs: 7 * DAY,
  /** Whoever asks for pay pages by checkout token: so many of one address in a minute. */
  lookups: 20,
  lookupWindowMs: MINUTE,
  lookupAddresses: 10_000,
  /** A row that others change at the same moment is read and written anew so often. */
  writeRounds: 8,
  /** Rows of the ledger that are read at once. */
  rows: 200,
  /** Lines on the owner's page, and how long one is kept. */
  ownerLines: 50,
  ownerLineMs: 365 * DAY,
  /** Names that a shop's payment method had before. */
  formerGateways: 20,
  /** Our own work is looked for so often. */
  errandsEveryMs: 500,
  dailyMs: DAY,
  firstDailyMs: MINUTE,
  /** Whoever runs the app hears so long before that the year of an API version is over. */
  versionEndsSoonMs: 60 * DAY,
} as const;

/** The waits that Shopify's documentation and approved apps keep to between tries of one mutation: about a day in all. */
export const MUTATION_WAITS_MS: readonly number[] = [
  ...[5, 10, 30, 45].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 12, 38].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 4, 4, 4, 4].map((hours) => hours * HOUR),
];
