/** Inserts the token where the URL contains `{token}`, or adds it as the parameter `tillkit`. */
export function withReturnToken(returnUrl: string, token: string): string {
  if (returnUrl.includes("{token}")) return returnUrl.replaceAll("{token}", token);
  const url = new URL(returnUrl);
  url.searchParams.set("tillkit", token);
  return url.href;
}
