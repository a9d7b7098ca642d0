import { findCustomer } from "../customers/read-customers.ts";
import { generateKey, type Keys, readKeys, regenerateKey, revokeKey } from "../organizations/api-keys.ts";
import {
  type BlockingInvoice,
  changeMerchantSettings,
  type MerchantSettings,
  readMerchantSettings,
} from "../organizations/merchant-settings.ts";
import { createOrganization, readOrganization } from "../organizations/organizations.ts";
import { inDatabaseTransaction, type Service, type WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { ApiKeyRow, OrganizationRow } from "../storage/organization-tables.ts";
import { type OrganizationRequest, organizationRequestSchemas } from "./organization-requests.ts";
import { parseRequest } from "./parse-request.ts";

export type Organization = MerchantSettings & {
  organization_id: string;
  merchant_id: string;
  name: string;
  status: string;
  /** The newest key of each kind and environment, or an empty text when every key of this kind was revoked. */
  keys: Keys;
};

/** A new key. Only its environment and kind decide what it may do. */
export type NewKey = Pick<ApiKeyRow, "key" | "environment" | "kind">;

/** What merchants do in their dashboards. */
export type OrganizationControl = {
  listOrganizations(): Promise<readonly Organization[]>;
  createOrganization(name: string): Promise<Organization>;
  updateOrganization(organizationId: string, input: OrganizationRequest<"organizationChange">): Promise<Organization>;
  /** Creates one more key; earlier keys stay valid. */
  generateKey(organizationId: string, input: OrganizationRequest<"newKey">): Promise<NewKey>;
  /** Creates a key and revokes at once the earlier keys of its kind and environment. */
  regenerateKey(organizationId: string, input: OrganizationRequest<"newKey">): Promise<NewKey>;
  /** Makes the key invalid at once. */
  revokeKey(organizationId: string, input: OrganizationRequest<"keyRevocation">): Promise<void>;
};

export function organizationControl(service: Service): OrganizationControl {
  const toOrganization = async (row: OrganizationRow): Promise<Organization> => ({
    organization_id: row.organization_id,
    merchant_id: row.merchant_id,
    name: row.name,
    status: row.status,
    ...readMerchantSettings(row),
    keys: await readKeys(service.store.database, row.organization_id),
  });
  return {
    async listOrganizations() {
      const rows = await service.store.database.selectFrom("organizations").selectAll().orderBy("created_at").execute();
      return Promise.all(rows.map(toOrganization));
    },
    async createOrganization(name) {
      const parsed = parseRequest(organizationRequestSchemas.newOrganization, { name });
      const { organization } = await inDatabaseTransaction(service, (context) =>
        createOrganization(context, parsed.name),
      );
      return toOrganization(organization);
    },
    async updateOrganization(organizationId, input) {
      const { name, status, ...settings } = parseRequest(organizationRequestSchemas.organizationChange, input);
      const changed = await inDatabaseTransaction(service, async ({ database, now }) => {
        const before = await readOrganization(database, organizationId);
        await database
          .updateTable("organizations")
          .set({ name: name ?? before.name, status: status ?? before.status, updated_at: now })
          .where("organization_id", "=", before.organization_id)
          .execute();
        const blocking_invoice = await withCustomerId(database, settings.blocking_invoice);
        await changeMerchantSettings(database, before, { ...settings, blocking_invoice });
        return readOrganization(database, organizationId);
      });
      return toOrganization(changed);
    },
    ...keyControl(service),
  };
}

type KeyControl = Pick<OrganizationControl, "generateKey" | "regenerateKey" | "revokeKey">;

function keyControl(service: Service): KeyControl {
  const createWith = async (create: typeof generateKey, organizationId: string, input: unknown): Promise<NewKey> => {
    const parsed = parseRequest(organizationRequestSchemas.newKey, input);
    const row = await inOrganization(service, organizationId, (context, id) => create(context, id, parsed));
    return { key: row.key, environment: row.environment, kind: row.kind };
  };
  return {
    generateKey: (organizationId, input) => createWith(generateKey, organizationId, input),
    regenerateKey: (organizationId, input) => createWith(regenerateKey, organizationId, input),
    async revokeKey(organizationId, input) {
      const { key } = parseRequest(organizationRequestSchemas.keyRevocation, input);
      await inOrganization(service, organizationId, (context, id) => revokeKey(context, id, key));
    },
  };
}

function inOrganization<Result>(
  service: Service,
  organizationId: string,
  work: (context: WriteContext, id: string) => Promise<Result>,
): Promise<Result> {
  return inDatabaseTransaction(service, async (context) => {
    const { organization_id } = await readOrganization(context.database, organizationId);
    return work(context, organization_id);
  });
}

/** Replaces a `cus_…` in the invoice by the customer's UUID, because sessions name customers by UUID. @throws ApiError `not_found` */
async function withCustomerId<Invoice extends BlockingInvoice | null | undefined>(
  database: SandboxDatabase,
  invoice: Invoice,
): Promise<Invoice> {
  if (!invoice?.customer_id.startsWith("cus_")) return invoice;
  const { customer_id } = await findCustomer(database, invoice.customer_id);
  return { ...invoice, customer_id };
}
