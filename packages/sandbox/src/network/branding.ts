import { z } from "zod";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";

const maxLogoLength = 16 * 1024;

/** The branding of a Member Account on the hosted page. The logo is a data: URL, because a page loads nothing from other hosts. */
export const brandingSchema = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: "must be a colour like #7a1fa2" })
    .optional(),
  logo: z
    .string()
    .max(maxLogoLength, { error: "must have at most 16 KiB" })
    .regex(/^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/, {
      error: "must be a data: URL of a PNG, JPEG, WebP or GIF image in base64",
    })
    .optional(),
});

export type Branding = z.output<typeof brandingSchema>;

/** The branding of an organization. An organization without a Member Account has none. */
export async function readBranding(database: SandboxDatabase, { organization_id }: OrganizationRow): Promise<Branding> {
  const member = await database
    .selectFrom("members")
    .select("branding_json")
    .where("organization_id", "=", organization_id)
    .executeTakeFirst();
  return member === undefined ? {} : JSON.parse(member.branding_json);
}
