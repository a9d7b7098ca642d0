const LONGEST = 300;

/** The message of anything that was thrown, fit for a log or a story: no e-mail, phone, card number, key or secret. */
export function safeReason(error: unknown): string {
  return safeText(error instanceof Error ? error.message : "Something that is no error was thrown.");
}

export function safeText(text: string): string {
  return text
    .replace(/[^\s@"'<>]+@[^\s@"'<>]+/g, "[e-mail]")
    .replace(/\b(?:svc_[ps]k_|whsec_)\w+/g, "[secret]")
    .replace(/\+?\d(?:[ .-]?\d){7,}(?![\w-])/g, "[number]")
    .slice(0, LONGEST);
}
