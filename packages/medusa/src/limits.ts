const SECOND = 1_000;

/** Every limit of the plugin. Times in milliseconds. */
export const pluginLimits = {
  /** How long the start waits for the service's answer about the API key. */
  apiKeyCheckMs: 5 * SECOND,
  /** How long a process waits for another one that is registering the webhook, and how often it checks. */
  registerWaitMs: 30 * SECOND,
  registerPollMs: 500,
  /** How long Medusa may still record a refund after the call that asked for it was given up. */
  refundSettlesMs: 120 * SECOND,
  /** How long Medusa waits for the end of a pending refund, or for the worker that writes to the same order. */
  refundWaitMs: 4 * SECOND,
  /** Items of a cart that the hosted page's title names. */
  titleItems: 3,
  /** Items of a cart that the admin page and the hosted page's description name. */
  itemsShown: 50,
  /** Payments that one search of the admin page returns. */
  searchResults: 20,
  /** Payments on one page of the admin list. */
  paymentsPerPage: 20,
  /** A paid cart normally becomes its order within this time; later the admin page lists its payment. */
  placingMs: 60 * SECOND,
  /** When an order that the owner places is placed by a job, in case the process died. Longer than Medusa takes to complete a cart. */
  placeAgainMs: 30 * SECOND,
  /** How often the change of a payment is tried again when other processes change the payment at the same time. */
  commitRounds: 5,
  /** Payments with a failed refund, or of a canceled order, that the admin page looks at. */
  notedPayments: 100,
} as const;
