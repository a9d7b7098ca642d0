import type { Invariant } from "./invariant.ts";

const PATTERNS: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: "an e-mail", pattern: /[\w.+-]+@[\w-]+\.[a-z]{2,}/i },
  { what: "a secret", pattern: /\b(?:svc_[ps]k_|whsec_)\w+/ },
  { what: "a phone", pattern: /\+\d[\d .-]{8,}\d/ },
];

export const privacy: Invariant = {
  id: "I8",
  title: "No key, secret, card number, e-mail or phone is in any line that leaves a process.",
  findViolations: ({ output, secrets }) =>
    output.flatMap((line) => {
      const planted = secrets.some((secret) => line.includes(secret)) ? "something secret" : null;
      const what =
        planted ?? PATTERNS.find(({ pattern }) => pattern.test(line))?.what ?? (hasCard(line) ? "a card number" : null);
      // The line itself is not repeated here: this text is output too.
      return what ? [`a line of ${line.length} characters holds ${what}, it begins with "${line.slice(0, 12)}"`] : [];
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
