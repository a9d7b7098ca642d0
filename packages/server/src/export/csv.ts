/**
 * One line of RFC 4180 with its CRLF. A field that a spreadsheet would run as a formula (it begins with = + - @, a tab or a
 * carriage return) gets a leading apostrophe.
 */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
