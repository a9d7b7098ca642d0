import { ServiceError } from "../errors/service-error.ts";

/**
 * The base URL without a trailing slash and without `/v1`, which `versionPrefix` adds.
 *
 * @throws ServiceError `url_invalid`, `insecure_url`
 */
export function parseBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl))
    throw new ServiceError("url_invalid", "The service's base URL must be absolute, for example https://api.example.");
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new ServiceError("url_invalid", "The service's base URL must hold no user, password, query or fragment.");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isCertainlyLoopback(url.hostname)))
    throw new ServiceError(
      "insecure_url",
      "The service's base URL must begin with https://; plain http:// is allowed only for this machine.",
    );
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "");
}

/** Whether the service runs on this machine: then it is a sandbox. */
export function isLoopbackUrl(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && isCertainlyLoopback(new URL(baseUrl).hostname);
}

/** Whether the `hostname` of a URL is a name or an address of this machine, including names like `shop.localhost`. */
export function isLoopbackHost(hostname: string): boolean {
  return isCertainlyLoopback(hostname) || /.\.localhost$/.test(hostname);
}

// Without names like `shop.localhost`: some resolvers look them up elsewhere, and plain HTTP would send the secret key unencrypted.
function isCertainlyLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}
