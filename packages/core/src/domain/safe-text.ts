const MAX_LENGTH = 300;

/** The message of a thrown value, safe for a log or a timeline: no e-mail, phone, card number, key or secret. */
export function safeReason(error: unknown): string {
  return safeText(error instanceof Error ? error.message : "A value that is not an Error was thrown.");
}

export function safeText(text: string): string {
  return text
    .replace(E_MAIL, "[email]")
    .replace(/\b(?:svc_[ps]k_|whsec_)\w+/g, "[secret]")
    .replace(UUID_OR_NUMBER, (_, uuid?: string) => uuid ?? "[number]")
    .slice(0, MAX_LENGTH);
}

// An attacker may choose the text, so the cost must grow linearly with its length. The lookbehinds allow a match only at the
// start of a run of such characters, so each run is scanned once.
const E_MAIL = /(?<![^\s@"'<>])[^\s@"'<>]+@[^\s@"'<>]+/g;
/** Phone and card numbers: eight digits or more, in groups or not. The digits of an id stay, also at the end of a UUID. */
const UUID_OR_NUMBER = /([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})|(?<!\d[ .-]?)\+?\d(?:[ .-]?\d){7,}(?![\w-])/gi;
