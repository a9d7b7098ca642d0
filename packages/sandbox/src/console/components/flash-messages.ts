/** The messages after an action. The URL carries only the key, so a crafted link cannot show other text. */
export const flashMessages = {
  paid: "The payment attempt ran with the outcome that you chose.",
  expired: "The session has expired.",
  "transaction-completed": "The transaction is completed.",
  "transaction-failed": "The transaction failed, as you chose.",
  "refund-completed": "The refund is completed.",
  "refund-failed": "The refund failed, as you chose.",
  "session-opened": "The session is open.",
  refunded: "The refund was requested.",
  "dispute-opened": "The dispute is open.",
  "dispute-closed": "The dispute is closed.",
  "evidence-submitted": "The evidence was submitted.",
  "key-revoked": "The key was revoked: it is invalid now.",
  "key-regenerated": "The new key is valid. Earlier keys of the same kind are invalid now.",
  "endpoint-created": "The endpoint is registered.",
  "secret-rotated": "The new secret signs from now on.",
  activated: "The endpoint receives events again.",
  deactivated: "The endpoint receives no events until you activate it.",
  "endpoint-deleted": "The endpoint was deleted.",
  tested: "The endpoint answered the test event with 2xx.",
  resent: "Every failed delivery was sent again, and the endpoint answered each with 2xx.",
  "resent-oldest":
    "The oldest failed deliveries were sent again, and the endpoint answered each with 2xx. Press the button again for the rest.",
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
