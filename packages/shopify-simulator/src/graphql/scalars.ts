/** A DateTime of Shopify's schemas, from milliseconds since 1970. */
export function dateTime(time: number): string {
  return new Date(time).toISOString();
}

/** The number at the end of a global id, by which the REST API and webhooks name the object. */
export function legacyResourceId(gid: string): string {
  return gid.slice(gid.lastIndexOf("/") + 1);
}
