/**
 * One line of RFC 4180, its CRLF included. A field that a spreadsheet would take for a formula (it begins with = + - @, a tab
 * or a return) gets an apostrophe in front.
 */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
