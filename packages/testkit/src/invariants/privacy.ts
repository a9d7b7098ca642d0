import type { Invariant } from "./invariant.ts";

const PATTERNS: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: "an e-mail", pattern: /[\w.+-]+@[\w-]+\.[a-z]{2,}/i },
  { what: "a secret", pattern: /\b(?:svc_[ps]k_|whsec_)\w+/ },
  { what: "a phone", pattern: /\+\d[\d .-]{8,}\d/ },
];

export const privacy: Invariant = {
  id: "I8",
  title: "No line that leaves a process contains a key, secret, card number, e-mail address or phone number.",
  findViolations: ({ output, secrets }) =>
    output.flatMap((line) => {
      const planted = secrets.some((secret) => line.includes(secret)) ? "a known secret" : null;
      const what =
        planted ?? PATTERNS.find(({ pattern }) => pattern.test(line))?.what ?? (hasCard(line) ? "a card number" : null);
      // Do not repeat the line here, because this text is output too.
      return what
        ? [`a line of ${line.length} characters contains ${what} and starts with "${line.slice(0, 12)}"`]
        : [];
    }),
};

function hasCard(line: string): boolean {
  return (line.match(/(?<![\w.-])\d{15,19}(?![\w.-])/g) ?? []).some(passesLuhn);
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
