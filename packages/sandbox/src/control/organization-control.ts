import { ApiError } from "../domain/api-error.ts";
import {
  changeMerchantSettings,
  type MerchantSettings,
  type MerchantSettingsChange,
  merchantSettingsSchema,
  readMerchantSettings,
} from "../organizations/merchant-settings.ts";
import { createOrganization, type Keys, readKeys, readOrganization } from "../organizations/organizations.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";
import { parseRequest } from "./parse-request.ts";

export type Organization = MerchantSettings & {
  organization_id: string;
  merchant_id: string;
  name: string;
  status: string;
  keys: Keys;
};

export type OrganizationControl = {
  listOrganizations(): Promise<readonly Organization[]>;
  createOrganization(name: string): Promise<Organization>;
  updateOrganization(
    organizationId: string,
    input: MerchantSettingsChange & { name?: string; status?: "active" | "suspended" },
  ): Promise<Organization>;
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
      assertName(name);
      const { organization } = await inDatabaseTransaction(service, (context) => createOrganization(context, name));
      return toOrganization(organization);
    },
    async updateOrganization(organizationId, { name, status, ...input }) {
      if (name !== undefined) assertName(name);
      if (status !== undefined && status !== "active" && status !== "suspended") {
        throw new ApiError("bad_request", "status must be active or suspended.");
      }
      const settings = parseRequest(merchantSettingsSchema, input);
      const changed = await inDatabaseTransaction(service, async ({ database }) => {
        const before = await readOrganization(database, organizationId);
        await database
          .updateTable("organizations")
          .set({ name: name ?? before.name, status: status ?? before.status })
          .where("organization_id", "=", organizationId)
          .execute();
        await changeMerchantSettings(database, before, settings);
        return readOrganization(database, organizationId);
      });
      return toOrganization(changed);
    },
  };
}

function assertName(name: unknown): void {
  if (typeof name === "string" && name.trim() !== "" && name.length <= 100) return;
  throw new ApiError("bad_request", "name must be a text of 1 to 100 characters.");
}
