import { decimalText, type Language, type Money } from "@tillkit/core";

/** An amount is written as a decimal of its currency, with a minus sign if it is negative. */
export type CsvField = string | Money;

/** Writes one line of a file, with its CRLF. */
export type CsvLine = (fields: readonly CsvField[]) => string;

/**
 * One line of RFC 4180 with its CRLF. A text that a spreadsheet would run as a formula (it begins with = + - @, a tab or a
 * carriage return) gets a leading apostrophe. A negative amount is no formula and stays a number.
 */
export const csvLine: CsvLine = lineWriter({ separator: ",", decimalMark: "." });

/** The lines that Excel opens with a double click where its language is this: in French with semicolons and decimal commas. */
export const excelLines: Readonly<Record<Language, CsvLine>> = {
  en: csvLine,
  fr: lineWriter({ separator: ";", decimalMark: "," }),
};

/** Excel takes a file for UTF-8 only when it begins with the byte order mark. */
export async function* withByteOrderMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = "\uFEFF";
  for await (const line of lines) {
    yield `${mark}${line}`;
    mark = "";
  }
}

type CsvForm = { readonly separator: string; readonly decimalMark: string };

function lineWriter({ separator, decimalMark }: CsvForm): CsvLine {
  const text = (field: CsvField) =>
    typeof field === "string" ? csvText(field) : signedDecimal(field).replace(".", decimalMark);
  return (fields) => `${fields.map(text).join(separator)}\r\n`;
}

function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function signedDecimal({ minor, currency }: Money): string {
  const text = decimalText({ minor: Math.abs(minor), currency });
  return minor < 0 ? `-${text}` : text;
}
