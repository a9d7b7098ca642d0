import type { Language } from "@tillkit/core";

const FRENCH = "bf bi bj cd cf cg ci cm dj fr ga gf gn gp ht km lu mc mg ml mq nc ne pf re sn td tg yt".split(" ");
const ENGLISH = "au bw gb gh gm ie ke lr mw na ng nz sl sz tz ug us za zm zw".split(" ");

/** The language in which most shoppers of these countries read a payment page. Null when it is neither, or the countries differ. */
export function languageOfCountries(countries: readonly (string | null | undefined)[]): Language | null {
  const codes = countries.flatMap((country) => (country ? [country.toLowerCase()] : []));
  if (codes.length === 0) return null;
  if (codes.every((code) => FRENCH.includes(code))) return "fr";
  return codes.every((code) => ENGLISH.includes(code)) ? "en" : null;
}
