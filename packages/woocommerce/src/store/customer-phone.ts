/** Calling code and lengths of national numbers in the countries of the CFA franc (XOF). None of them has a trunk prefix. */
const COUNTRIES: Readonly<Record<string, { readonly code: string; readonly lengths: readonly number[] }>> = {
  BJ: { code: "229", lengths: [8, 10] },
  BF: { code: "226", lengths: [8] },
  CI: { code: "225", lengths: [10] },
  GW: { code: "245", lengths: [7, 9] },
  ML: { code: "223", lengths: [8] },
  NE: { code: "227", lengths: [8] },
  SN: { code: "221", lengths: [9] },
  TG: { code: "228", lengths: [8] },
};

/**
 * The phone number with its country code, which mobile money needs. Shoppers type it as they say it: `77 123 45 67`. A number of
 * another country, or of another length, stays as typed.
 *
 * @param country ISO 3166-1 alpha-2, of the billing address
 */
export function toInternationalPhone(phone: string, country: string): string {
  const digits = phone.replace(/\D/g, "");
  if (/^\s*\+/.test(phone)) return phone;
  if (digits.startsWith("00")) return `+${digits.slice(2)}`;
  const known = COUNTRIES[country];
  if (!known) return phone;
  if (known.lengths.includes(digits.length)) return `+${known.code}${digits}`;
  const hasCode = digits.startsWith(known.code) && known.lengths.includes(digits.length - known.code.length);
  return hasCode ? `+${digits}` : phone;
}
