/** The countries of mobile money, by their calling codes. None of them drops a leading zero of the national number. */
const COUNTRIES = {
  "225": "CI",
  "221": "SN",
  "229": "BJ",
  "226": "BF",
  "237": "CM",
  "224": "GN",
  "223": "ML",
  "227": "NE",
  "228": "TG",
} as const;

export type CallingCode = keyof typeof COUNTRIES;

/** The first is the one that is chosen for a shopper who typed nothing yet. */
export const callingCodes = ["225", "221", "229", "226", "237", "224", "223", "227", "228"] as const;

export function isCallingCode(text: string): text is CallingCode {
  return Object.hasOwn(COUNTRIES, text);
}

/** "+225 Côte d’Ivoire": the code comes first, because a narrow phone cuts the rest off. */
export function callingCodeName(code: CallingCode, language: string): string {
  const names = new Intl.DisplayNames(language, { type: "region" });
  return `+${code} ${names.of(COUNTRIES[code])}`;
}

/** The code of a number with its country, and the rest of the number; null for a number of no listed country. */
export function splitNumber(typed: string): { readonly code: CallingCode; readonly national: string } | null {
  const [, code = "", national = ""] = /^(?:\+|00)\s*(\d{3})\s*(.*)$/.exec(typed.trim()) ?? [];
  return isCallingCode(code) ? { code, national } : null;
}
