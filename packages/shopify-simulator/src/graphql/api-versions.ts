import { SHOPIFY_VERSIONS, type ShopifyVersion } from "./schemas.ts";

const SUPPORTED_MONTHS = 12;

/** `publicApiVersions` at a time: a version is released on the first of its month and supported for twelve months. */
export function apiVersions(now: number) {
  const versions = SHOPIFY_VERSIONS.map((handle) => ({
    handle,
    displayName: releasedAt(handle) <= now ? handle : `${handle} (Release candidate)`,
    supported: isSupported(handle, now),
  }));
  return [...versions, { handle: "unstable", displayName: "unstable", supported: false }];
}

/** The version that answers a request: the oldest supported version also answers for older versions. Null for an unknown version. */
export function versionFor(requested: string, now: number): ShopifyVersion | null {
  const known = SHOPIFY_VERSIONS.find((version) => version === requested);
  const oldest = SHOPIFY_VERSIONS.find((version) => isSupported(version, now)) ?? SHOPIFY_VERSIONS[0];
  const isQuarterly = /^20\d\d-(01|04|07|10)$/.test(requested);
  if (isQuarterly && requested < oldest) return oldest;
  return known ?? null;
}

function isSupported(version: ShopifyVersion, now: number): boolean {
  const end = new Date(releasedAt(version));
  end.setUTCMonth(end.getUTCMonth() + SUPPORTED_MONTHS);
  return releasedAt(version) <= now && now < end.getTime();
}

function releasedAt(version: ShopifyVersion): number {
  return Date.parse(`${version}-01T00:00:00Z`);
}
