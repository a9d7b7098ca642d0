/** The messages after an action. The URL carries only the key, so a crafted link cannot show other text. */
export const flashMessages = {
  paid: "The payment attempt ran with the outcome that you chose.",
  expired: "The session has expired.",
  completed: "Completed.",
  failed: "Failed.",
  opened: "The dispute is open.",
  closed: "The dispute is closed.",
  submitted: "The evidence was submitted.",
  "key-revoked": "The key was revoked: it is invalid now.",
  "key-regenerated": "The new key is valid. Earlier keys of the same kind are invalid now.",
  retried: "The endpoint answered 2xx: delivered.",
  sent: "The event is sent again.",
  "no-subscriber": "No endpoint is subscribed to this event: nothing was sent.",
  moved: "The clock was moved, and due work was done.",
  "fault-added": "The fault waits for a matching request.",
  "faults-removed": "All faults were removed.",
  saved: "Saved.",
  reset: "Everything was deleted except merchants, keys, settings and clock.",
} as const;

export type FlashMessage = keyof typeof flashMessages;

/** The message of a key in the URL. Null for an unknown key. */
export function flashMessageText(key: string | null): string | null {
  return key !== null && Object.hasOwn(flashMessages, key) ? flashMessages[key as FlashMessage] : null;
}
