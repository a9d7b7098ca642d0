const LONGEST = 300;

/** The message of anything that was thrown, fit for a log or a story: no e-mail, phone, card number, key or secret. */
export function safeReason(error: unknown): string {
  return safeText(error instanceof Error ? error.message : "Something that is no error was thrown.");
}

export function safeText(text: string): string {
  return text
    .replace(E_MAIL, "[e-mail]")
    .replace(/\b(?:svc_[ps]k_|whsec_)\w+/g, "[secret]")
    .replace(NUMBER, "[number]")
    .slice(0, LONGEST);
}

// Strangers choose the text, so the cost must grow with its length and not with the square of it: the lookbehinds let a
// match begin only where a run of such characters begins, and each run is scanned once.
const E_MAIL = /(?<![^\s@"'<>])[^\s@"'<>]+@[^\s@"'<>]+/g;
const NUMBER = /(?<!\d[ .-]?)\+?\d(?:[ .-]?\d){7,}(?![\w-])/g;
