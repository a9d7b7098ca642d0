import { notFound } from "../domain/api-error.ts";
import { createOrganization } from "../organizations/organizations.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { OperatorRow, PartyStatus } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { type Capabilities, everyCapability } from "./capabilities.ts";
import type { FeeRule } from "./fee-rule.ts";

export type OperatorInput = {
  status?: PartyStatus | undefined;
  /** The capabilities of memberships that request no capabilities themselves. The default is every capability. */
  default_capabilities?: Capabilities | undefined;
  /** Null means no fee. */
  fee?: FeeRule | null | undefined;
};

/** Creates an organization with its own keys that can act for its members. */
export async function createOperator(
  context: WriteContext,
  { name, status = "active", default_capabilities = everyCapability, fee = null }: OperatorInput & { name: string },
): Promise<OperatorRow> {
  const { organization } = await createOrganization(context, name);
  const row: OperatorRow = {
    operator_id: context.service.ids.uuid(),
    organization_id: organization.organization_id,
    status,
    default_capabilities_json: JSON.stringify(default_capabilities),
    fee_json: fee === null ? null : JSON.stringify(fee),
    created_at: context.now,
  };
  await context.database.insertInto("operators").values(row).execute();
  return row;
}

/** Omitted fields keep their values. @throws ApiError `not_found` */
export async function updateOperator(
  { database }: Pick<WriteContext, "database">,
  operatorId: string,
  { status, default_capabilities, fee }: OperatorInput,
): Promise<OperatorRow> {
  const operator = await readOperator(database, operatorId);
  const newFeeJson = fee === null ? null : JSON.stringify(fee);
  const next: OperatorRow = {
    ...operator,
    status: status ?? operator.status,
    default_capabilities_json:
      default_capabilities === undefined ? operator.default_capabilities_json : JSON.stringify(default_capabilities),
    fee_json: fee === undefined ? operator.fee_json : newFeeJson,
  };
  await database.updateTable("operators").set(next).where("operator_id", "=", operatorId).execute();
  return next;
}

/** Oldest first. */
export function listOperators(database: SandboxDatabase): Promise<OperatorRow[]> {
  return database.selectFrom("operators").selectAll().orderBy("created_at").execute();
}

/** @throws ApiError `not_found` */
export async function readOperator(database: SandboxDatabase, operatorId: string): Promise<OperatorRow> {
  const row = await database
    .selectFrom("operators")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .executeTakeFirst();
  if (row === undefined) throw notFound("Operator");
  return row;
}

/** The Operator of a membership. */
export async function findOperatorOfMembership(
  database: SandboxDatabase,
  membershipId: string,
): Promise<OperatorRow | undefined> {
  return database
    .selectFrom("memberships")
    .innerJoin("operators", "operators.operator_id", "memberships.operator_id")
    .selectAll("operators")
    .where("membership_id", "=", membershipId)
    .executeTakeFirst();
}

export function defaultCapabilities(operator: OperatorRow): Capabilities {
  return JSON.parse(operator.default_capabilities_json);
}
