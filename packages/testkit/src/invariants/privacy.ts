import type { Invariant } from "./invariant.ts";

/** A line without the `sign` cannot match the pattern. Looking for the sign is much faster. */
const PRIVATE_PATTERNS: readonly { readonly what: string; readonly sign: string; readonly pattern: RegExp }[] = [
  { what: "an e-mail", sign: "@", pattern: /[\w.+-]+@[\w-]+\.[a-z]{2,}/i },
  { what: "a secret", sign: "_", pattern: /\b(?:svc_[ps]k_|whsec_)\w+/ },
  { what: "a phone", sign: "+", pattern: /\+\d[\d .-]{8,}\d/ },
];

export const privacy: Invariant = {
  id: "I8",
  title: "No line that leaves a process contains a key, secret, card number, e-mail address or phone number.",
  findViolations: ({ output, secrets }) =>
    output.flatMap((line) => {
      const leak = leakIn(line, secrets);
      // A test prints this text, so it must not repeat the line.
      return leak
        ? [`a line of ${line.length} characters contains ${leak} and starts with "${line.slice(0, 12)}"`]
        : [];
    }),
};

function leakIn(line: string, secrets: readonly string[]): string | null {
  if (secrets.some((secret) => line.includes(secret))) return "a known secret";
  const match = PRIVATE_PATTERNS.find(({ sign, pattern }) => line.includes(sign) && pattern.test(line));
  if (match) return match.what;
  return hasCardNumber(line) ? "a card number" : null;
}

function hasCardNumber(line: string): boolean {
  const longNumbers = line.match(/(?<![\w.-])\d{15,19}(?![\w.-])/g) ?? [];
  return longNumbers.some(passesLuhn);
}

/** The check digit of card numbers: double every second digit from the right, add all digits, and expect a multiple of ten. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
