/**
 * Whether the header `Host` names this machine: `localhost`, a name below it, `127.0.0.1`, `[::1]`, each with any port, or
 * the host and port of `baseUrl`. A web page can give its own host name the address of this machine (DNS rebinding), and its
 * scripts then reach the sandbox from the same origin. Only the name in `Host` tells.
 */
export function isOwnHost(host: string | undefined, baseUrl: string): boolean {
  if (host === undefined) return false;
  if (host.toLowerCase() === new URL(baseUrl).host) return true;
  return /^(([a-z0-9-]+\.)*localhost\.?|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}
