/** The base path of the console. */
export const consolePath = "/sandbox/console";

/** The path of a page: `pageUrl("sessions", id)`. */
export function pageUrl(...steps: readonly string[]): string {
  return [consolePath, ...steps.map(encodeURIComponent)].join("/");
}
