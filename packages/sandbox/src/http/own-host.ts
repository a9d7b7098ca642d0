/**
 * Whether the header `Host` names this machine: `localhost`, a name below it, `127.0.0.1`, `[::1]`, each with any port, or
 * the host and port of `baseUrl`. The host name of a hostile web page can be made to resolve to this machine (DNS rebinding).
 * Its scripts then reach the sandbox as their own origin, and only the name in `Host` shows the difference.
 */
export function isOwnHost(host: string | undefined, baseUrl: string): boolean {
  if (host === undefined) return false;
  if (host.toLowerCase() === new URL(baseUrl).host) return true;
  return /^(([a-z0-9-]+\.)*localhost\.?|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}
