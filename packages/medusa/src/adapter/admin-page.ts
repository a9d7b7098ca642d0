/** The plugin's page of Medusa's admin with the payments that this text finds; null where the admin's address is not known. */
export function adminPageOf(adminUrl: string | null | undefined, search: string): string | null {
  return adminUrl ? `${adminUrl.replace(/\/+$/, "")}/tillkit?search=${encodeURIComponent(search)}` : null;
}
