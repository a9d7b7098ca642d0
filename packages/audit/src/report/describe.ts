import type { Language } from "@tillkit/core";
import { amountText } from "../facts/read-amount.ts";
import { FINDING_KINDS, type Finding, type FindingKind } from "../findings/finding.ts";
import type { Outcome } from "../findings/judge-group.ts";
import { AUDIT_TEXTS } from "../texts/texts.ts";

/** What a finding says, in one line. */
export function describeFinding(finding: Finding, language: Language): string {
  const { amount, expected, actual, shownBy, kind } = finding;
  const text = (value: Finding["expected"]) => (value === null ? "–" : amountText(value, language));
  const { sentence } = AUDIT_TEXTS[language].kinds[kind];
  return sentence({ amount: amountText(amount, language), expected: text(expected), actual: text(actual), shownBy });
}

/** `certain`, or `likely` with its reasons. */
export function describeCertainty({ certainty, because }: Finding, language: Language): string {
  const texts = AUDIT_TEXTS[language];
  if (because.length === 0) return texts.certainty[certainty];
  return `${texts.certainty[certainty]} (${because.map((reason) => texts.because[reason]).join(", ")})`;
}

export function outcomeName(outcome: Outcome, language: Language): string {
  const texts = AUDIT_TEXTS[language];
  return isFinding(outcome) ? texts.kinds[outcome].name : texts.outcomes[outcome];
}

function isFinding(outcome: Outcome): outcome is FindingKind {
  return (FINDING_KINDS as readonly string[]).includes(outcome);
}

/** Amounts of several currencies, the largest first: `5 000 F CFA, €12.50`. `–` for none. */
export function amountsText(amounts: ReadonlyMap<string, number>, language: Language): string {
  const texts = [...amounts].map(([currency, minor]) => amountText({ minor, currency }, language));
  return texts.length === 0 ? "–" : texts.join(", ");
}

export function sumByCurrency(findings: readonly Finding[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { amount } of findings) sums.set(amount.currency, (sums.get(amount.currency) ?? 0) + amount.minor);
  return sums;
}

/** `31 January 2026`, `31 janvier 2026`, in UTC. */
export function dayText(at: number, language: Language): string {
  const format = new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", { dateStyle: "long", timeZone: "UTC" });
  const text = format.format(at);
  return language === "fr" ? text.replace(/^1 /, "1er ") : text;
}

export function minuteText(at: number, language: Language): string {
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", format).format(at)} UTC`;
}
