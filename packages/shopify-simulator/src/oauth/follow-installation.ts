/** The last response of the installation. `location`: the redirect target that ended the installation, or null for a page. */
export type InstallationResult = {
  readonly status: number;
  readonly url: string;
  readonly location: string | null;
  readonly text: string;
  /** The cookies that the browser would send with its next request: `name=value; …`. */
  readonly cookies: string;
};

const MAX_REDIRECTS = 10;

/**
 * Acts as the merchant's browser: follows redirects, keeps cookies, and presses Install on Shopify's grant page.
 *
 * @param approve returns the app's callback URL if its argument is the grant page, else null
 * @param isOver returns true if a redirect target ends the installation; the target is not opened
 */
export async function followInstallation(
  start: string,
  approve: (url: URL) => string | null,
  isOver: (url: URL) => boolean,
): Promise<InstallationResult> {
  const cookies = new Map<string, string>();
  let next = start;
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
    const url = new URL(next);
    const callbackUrl = approve(url);
    if (callbackUrl !== null) {
      next = callbackUrl;
      continue;
    }
    const response = await fetch(url, { redirect: "manual", headers: { Cookie: [...cookies.values()].join("; ") } });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair);
    }
    const location = response.headers.get("location");
    const text = await response.text();
    const target = location === null ? null : new URL(location, url);
    if (target === null || isOver(target))
      return {
        status: response.status,
        url: next,
        location: target?.href ?? null,
        text,
        cookies: [...cookies.values()].join("; "),
      };
    next = target.href;
  }
  throw new Error(`The installation of the app did not end after ${MAX_REDIRECTS} redirects, at ${next}.`);
}
