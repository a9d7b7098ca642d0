import { z } from "zod";
import { currencies } from "../domain/currencies.ts";
import { type Provider, providers } from "../domain/payment-methods.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";

const text = z.string({ error: "must be a text" }).min(1);

const flag = z.boolean({ error: "must be true or false" }).optional();

const blockingInvoiceSchema = z.strictObject({
  customer_id: text,
  invoice_id: text,
  invoice_number: text,
  /** In the wire unit of the currency. */
  amount_remaining: z.int({ error: "must be a whole number" }).min(1),
  currency_code: z.enum(currencies, { error: `must be one of ${currencies.join(", ")}` }),
  checkout_url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }),
});

export type BlockingInvoice = z.output<typeof blockingInvoiceSchema>;

/** A change of the settings in the dashboard of a merchant. Omitted settings keep their values. */
export const merchantSettingsSchema = z.strictObject({
  providers: z.array(z.enum(providers, { error: `must be one of ${providers.join(", ")}` })).optional(),
  page: z
    .strictObject({
      require_name: flag,
      require_email: flag,
      require_phone: flag,
      require_billing_address: flag,
    })
    .optional(),
  blocking_invoice: blockingInvoiceSchema.nullable().optional(),
});

export type MerchantSettings = {
  /** The providers that the merchant has connected. */
  providers: readonly Provider[];
  /** Defaults for the `require_…` flags that a session omits. */
  page: NonNullable<z.output<typeof merchantSettingsSchema>["page"]>;
  /** An unpaid invoice. It blocks new checkout sessions of its customer. */
  blocking_invoice: BlockingInvoice | null;
};

/** The settings of an organization. By default every provider is connected. */
export function readMerchantSettings({ settings_json }: Pick<OrganizationRow, "settings_json">): MerchantSettings {
  const stored: Partial<MerchantSettings> = settings_json === null ? {} : JSON.parse(settings_json);
  return { providers, page: {}, blocking_invoice: null, ...stored };
}

/** Stores a change of the settings. Page flags are merged one by one. */
export async function changeMerchantSettings(
  database: SandboxDatabase,
  organization: OrganizationRow,
  change: z.output<typeof merchantSettingsSchema>,
): Promise<void> {
  const before = readMerchantSettings(organization);
  const next: MerchantSettings = {
    providers: change.providers ?? before.providers,
    page: { ...before.page, ...change.page },
    blocking_invoice: change.blocking_invoice === undefined ? before.blocking_invoice : change.blocking_invoice,
  };
  await database
    .updateTable("organizations")
    .set({ settings_json: JSON.stringify(next) })
    .where("organization_id", "=", organization.organization_id)
    .execute();
}
