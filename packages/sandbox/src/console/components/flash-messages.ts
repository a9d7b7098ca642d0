/** What is said after a button did its work. The address carries the key, never a text. */
export const flashMessages = {
  paid: "The payment was made as you chose.",
  expired: "The session has expired.",
  completed: "Completed.",
  failed: "Failed, as you wanted.",
  opened: "The dispute is open.",
  closed: "The dispute is closed.",
  retried: "The endpoint answered 2xx: delivered.",
  sent: "The event is on its way once more.",
  "no-subscriber": "No endpoint is subscribed to this event: nothing was sent.",
  moved: "The clock was moved, and what fell due was done.",
  "fault-added": "The fault waits for its request.",
  "faults-removed": "No fault is left.",
  saved: "Saved.",
  reset: "Everything was forgotten but merchants, keys, settings and clock.",
} as const;

export type FlashMessage = keyof typeof flashMessages;

/** The sentence for a key out of an address; null for one that we never sent. */
export function flashMessageText(key: string | null): string | null {
  return key !== null && Object.hasOwn(flashMessages, key) ? flashMessages[key as FlashMessage] : null;
}
