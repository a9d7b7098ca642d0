import { z } from "zod";
import { environments, keyKinds } from "../organizations/api-keys.ts";
import { merchantSettingsSchema } from "../organizations/merchant-settings.ts";

const nameError = "must be a text of 1 to 100 characters";
const name = z
  .string({ error: nameError })
  .max(100, { error: nameError })
  .refine((text) => text.trim() !== "", { error: nameError });

const newKey = z.strictObject({
  environment: z.enum(environments, { error: "must be test or live" }),
  kind: z.enum(keyKinds, { error: "must be secret or publishable" }),
});

/** Request bodies of the control API for merchants. Unknown fields are refused. */
export const organizationRequestSchemas = {
  newOrganization: z.strictObject({ name }),
  organizationChange: merchantSettingsSchema.extend({
    name: name.optional(),
    status: z.enum(["active", "suspended"], { error: "must be active or suspended" }).optional(),
  }),
  newKey,
  keyRevocation: z.strictObject({ key: z.string({ error: "must be a text" }).min(1) }),
};

export type OrganizationRequest<Name extends keyof typeof organizationRequestSchemas> = z.input<
  (typeof organizationRequestSchemas)[Name]
>;
