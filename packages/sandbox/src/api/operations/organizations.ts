import { providerQuerySchema } from "@tillkit/client/schemas";
import { ApiError, notFound } from "../../domain/api-error.ts";
import { isoTime } from "../../domain/clock.ts";
import { providers } from "../../domain/payment-methods.ts";
import { readQuery } from "../../http/read-query.ts";
import { readMerchantSettings } from "../../organizations/merchant-settings.ts";
import type { Owner } from "../../organizations/owner.ts";
import type { SandboxDatabase } from "../../storage/open-store.ts";
import type { OrganizationRow } from "../../storage/organization-tables.ts";
import { type Operation, readOperation } from "./operation.ts";
import { computeFigures, type Figures } from "./organization-figures.ts";

type Json = Record<string, unknown>;

/** GET /organizations: a bare array with the key's own organization */
export const listOrganizations: Operation = readOperation(async ({ caller }, database) => ({
  status: 200,
  body: [await organizationJson(database, caller)],
}));

/** GET /organizations/{id} */
export const getOrganization: Operation = readOperation(async ({ caller, params }, database) => {
  if (params.id?.toLowerCase() !== caller.organization.organization_id) throw notFound("Organization");
  return { status: 200, body: await organizationJson(database, caller) };
});

/** GET /merchants/{id}. The merchant of another organization is 403. Every other endpoint answers 404 in that case. */
export const getMerchant: Operation = readOperation(async ({ caller, params }, database) => {
  const id = params.id?.toLowerCase() ?? "";
  if (id === caller.organization.merchant_id) return { status: 200, body: await merchantJson(database, caller) };
  const other = await database
    .selectFrom("organizations")
    .select("merchant_id")
    .where("merchant_id", "=", id)
    .executeTakeFirst();
  if (other === undefined) throw notFound("Merchant");
  throw new ApiError("forbidden", "This API key cannot perform this action");
});

/** GET /providers: a bare array */
export const listProviders: Operation = readOperation(async ({ caller, query }) => {
  const { provider_code } = readQuery(providerQuerySchema, query);
  const connected: readonly string[] = readMerchantSettings(caller.organization).providers;
  const matching = [...providers, bankTransfers].filter(
    (code) => provider_code === undefined || code === provider_code,
  );
  const body = matching.map((code) => ({
    provider_code: code,
    is_connected: connected.includes(code),
    environment: caller.environment,
    metadata: {},
  }));
  return { status: 200, body };
});

/** The provider code of bank transfers. They have neither a direct charge nor a method on the hosted page. */
const bankTransfers = "SPI";

async function organizationJson(database: SandboxDatabase, owner: Owner): Promise<Json> {
  const { organization } = owner;
  return {
    organization_id: organization.organization_id,
    merchant_id: organization.merchant_id,
    name: organization.name,
    email: null,
    phone_number: null,
    verification_status: "verified",
    website_url: null,
    logo_url: null,
    status: organization.status,
    default_currency: organization.default_currency,
    slug: slugOf(organization.name),
    storefront_enabled: false,
    total_merchants: 1,
    ...(await computeFigures(database, owner)),
    industry: null,
    employee_number: null,
    is_starter_business: false,
    metadata: {},
    ...timestamps(organization),
    is_deleted: false,
  };
}

async function merchantJson(database: SandboxDatabase, owner: Owner): Promise<Json> {
  const { organization } = owner;
  const { mrr, arr, merchant_lifetime_value }: Figures = await computeFigures(database, owner);
  return {
    merchant_id: organization.merchant_id,
    name: organization.name,
    email: null,
    phone_number: null,
    country: null,
    mrr,
    arr,
    merchant_lifetime_value,
    metadata: {},
    ...timestamps(organization),
  };
}

function timestamps({ created_at, updated_at }: OrganizationRow): Json {
  return { created_at: isoTime(created_at), updated_at: isoTime(updated_at ?? created_at) };
}

/** `Marché Démo` becomes `marche-demo`. */
function slugOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
