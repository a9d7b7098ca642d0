import { decimalText, type Money } from "@tillkit/core";

/** An amount is written as a decimal of its currency, with a minus sign if it is negative. */
export type CsvField = string | Money;

/**
 * One line of RFC 4180 with its CRLF. A text that a spreadsheet would run as a formula (it begins with = + - @, a tab or a
 * carriage return) gets a leading apostrophe. A negative amount is no formula and stays a number.
 */
export function csvLine(fields: readonly CsvField[]): string {
  const texts = fields.map((field) => (typeof field === "string" ? csvText(field) : signedDecimal(field)));
  return `${texts.join(",")}\r\n`;
}

function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function signedDecimal({ minor, currency }: Money): string {
  const text = decimalText({ minor: Math.abs(minor), currency });
  return minor < 0 ? `-${text}` : text;
}
