const COUNTRY = "{country}";

/** Inserts the token where the URL contains `{token}`, or adds it as the parameter `tillkit`. */
export function withReturnToken(returnUrl: string, token: string): string {
  if (returnUrl.includes("{token}")) return returnUrl.replaceAll("{token}", token);
  const url = new URL(returnUrl);
  url.searchParams.set("tillkit", token);
  return url.href;
}

export function namesCountry(returnUrl: string | undefined): boolean {
  return returnUrl?.includes(COUNTRY) ?? false;
}

/** Inserts the country's code, such as `sn`. Without a country that part of the path is left out: Medusa's starters then add their default. */
export function withCountry(returnUrl: string, country: string | null): string {
  return country === null
    ? returnUrl.replaceAll(`/${COUNTRY}`, "").replaceAll(COUNTRY, "")
    : returnUrl.replaceAll(COUNTRY, country);
}
