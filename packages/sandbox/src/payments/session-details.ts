import type { checkoutSessionRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import type { MerchantSettings } from "../organizations/merchant-settings.ts";
import type { SessionRow } from "../storage/payment-tables.ts";

export type SessionRequest = z.output<typeof checkoutSessionRequestSchema>;

/** The merchant's request, completed with the merchant's settings and the service's defaults. It never changes after creation. */
export type SessionDetails = {
  title: string | null;
  description: string | null;
  success_url: string | null;
  cancel_url: string | null;
  customer_email: string | null;
  customer_name: string | null;
  customer_phone: string | null;
  customer_address: string | null;
  customer_city: string | null;
  customer_country: string | null;
  customer_postal_code: string | null;
  quantity: number;
  allow_quantity: boolean;
  allow_coupon_code: boolean;
  require_name: boolean;
  require_email: boolean;
  require_phone: boolean;
  require_billing_address: boolean;
  fields: SessionRequest["fields"] | null;
  metadata: Record<string, unknown>;
  subscription_id: string | null;
  application_fee_amount: number | null;
};

export function buildSessionDetails(request: SessionRequest, page: MerchantSettings["page"]): SessionDetails {
  return {
    ...textsOf(request),
    ...flagsOf({ ...page, ...request }),
    quantity: request.quantity ?? 1,
    fields: request.fields ?? null,
    metadata: metadataOf(request),
    subscription_id: request.subscription_id ?? null,
    application_fee_amount: request.application_fee_amount ?? null,
  };
}

export function readSessionDetails(session: Pick<SessionRow, "details_json">): SessionDetails {
  // Sessions of an older version have no subscription.
  return { subscription_id: null, ...JSON.parse(session.details_json) };
}

function metadataOf({ metadata = {}, integration_source }: SessionRequest): Record<string, unknown> {
  return integration_source === undefined ? metadata : { ...metadata, integration_source };
}

const textFields = [
  "title",
  "description",
  "success_url",
  "cancel_url",
  "customer_email",
  "customer_name",
  "customer_phone",
  "customer_address",
  "customer_city",
  "customer_country",
  "customer_postal_code",
] as const;

function textsOf(request: SessionRequest): Pick<SessionDetails, (typeof textFields)[number]> {
  const entries = textFields.map((name) => [name, request[name] ?? null] as const);
  return Object.fromEntries(entries) as Pick<SessionDetails, (typeof textFields)[number]>;
}

/** The defaults of the service for flags that neither the request nor the merchant sets. */
const flagDefaults = {
  allow_quantity: false,
  allow_coupon_code: false,
  require_name: true,
  require_email: true,
  require_phone: false,
  require_billing_address: false,
};
type Flag = keyof typeof flagDefaults;

function flagsOf(request: Partial<Record<Flag, boolean | undefined>>): Record<Flag, boolean> {
  const flags = { ...flagDefaults };
  for (const name of Object.keys(flagDefaults) as Flag[]) flags[name] = request[name] ?? flagDefaults[name];
  return flags;
}
