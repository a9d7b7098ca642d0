/** Where the console is; its pages are below. */
export const consolePath = "/sandbox/console";

/** The address of a page: `pageUrl("sessions", id)`. */
export function pageUrl(...steps: readonly string[]): string {
  return [consolePath, ...steps.map(encodeURIComponent)].join("/");
}
