/** What the merchant's browser met last on the way through an app's installation. */
export type InstallWalk = {
  readonly status: number;
  readonly url: string;
  readonly location: string | null;
  readonly text: string;
  /** What the browser would send next: `name=value; …`. */
  readonly cookies: string;
};

const LONGEST_WALK = 10;

/**
 * The merchant's browser: follows redirects, keeps each host's cookies, and presses Install where Shopify asks.
 *
 * @param approve Shopify's answer to the authorize page's address, null for any other address
 * @param isOver an address that ends the walk before it is opened
 */
export async function walkInstallation(
  start: string,
  approve: (url: URL) => string | null,
  isOver: (url: URL) => boolean,
): Promise<InstallWalk> {
  const cookies = new Map<string, string>();
  let next = start;
  for (let step = 0; step < LONGEST_WALK; step += 1) {
    const url = new URL(next);
    const approved = approve(url);
    if (approved !== null) {
      next = approved;
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
  throw new Error(`The installation of the app did not end after ${LONGEST_WALK} redirects, at ${next}.`);
}
