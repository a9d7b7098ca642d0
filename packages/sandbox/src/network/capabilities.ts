import type { Capability } from "@tillkit/client/endpoints";
import type { Environment } from "../domain/environment.ts";
import type { GrantState } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";

/** What a Member Account can allow an Operator to do. */
export const capabilities = [
  "payment.create",
  "transaction.read_own",
  "transaction.read",
  "customer.read",
  "customer.write",
  "refund.create",
] as const satisfies readonly Capability[];

/** Capabilities are separate for test and live. */
export type Capabilities = Record<Environment, readonly Capability[]>;

export const everyCapability: Capabilities = { test: capabilities, live: capabilities };

/**
 * A change of the grants per environment. A list names the grants that remain; all others are revoked. An object sets the
 * states of single capabilities. An omitted environment does not change.
 */
export type GrantChange = Partial<
  Record<Environment, readonly Capability[] | Partial<Record<Capability, GrantState | undefined>> | undefined>
>;

/** `listedState` is the new state of the capabilities in a list. */
export async function changeGrants(
  database: SandboxDatabase,
  membershipId: string,
  change: GrantChange,
  listedState: "requested" | "active",
): Promise<void> {
  for (const environment of ["test", "live"] as const) {
    const environmentChange = change[environment];
    if (environmentChange === undefined) continue;
    if (isList(environmentChange)) await revokeAll(database, membershipId, environment);
    for (const capability of capabilities) {
      const state = stateIn(environmentChange, capability, listedState);
      if (state === undefined) continue;
      await database
        .insertInto("capability_grants")
        .values({ membership_id: membershipId, environment, capability, state })
        .onConflict((conflict) =>
          conflict.columns(["membership_id", "environment", "capability"]).doUpdateSet({ state }),
        )
        .execute();
    }
  }
}

/** Grants the requested capabilities of an activated membership. */
export async function grantRequested(database: SandboxDatabase, membershipId: string): Promise<void> {
  await database
    .updateTable("capability_grants")
    .set({ state: "active" })
    .where("membership_id", "=", membershipId)
    .where("state", "=", "requested")
    .execute();
}

export type Grants = Record<Environment, Partial<Record<Capability, GrantState>>>;

export async function readGrants(database: SandboxDatabase, membershipId: string): Promise<Grants> {
  const found = await database
    .selectFrom("capability_grants")
    .selectAll()
    .where("membership_id", "=", membershipId)
    .execute();
  const grants: Grants = { test: {}, live: {} };
  for (const { environment, capability, state } of found) grants[environment][capability] = state;
  return grants;
}

async function revokeAll(database: SandboxDatabase, membershipId: string, environment: Environment): Promise<void> {
  await database
    .updateTable("capability_grants")
    .set({ state: "revoked" })
    .where("membership_id", "=", membershipId)
    .where("environment", "=", environment)
    .execute();
}

type EnvironmentChange = NonNullable<GrantChange[Environment]>;

function stateIn(
  environmentChange: EnvironmentChange,
  capability: Capability,
  listedState: GrantState,
): GrantState | undefined {
  if (isList(environmentChange)) return environmentChange.includes(capability) ? listedState : undefined;
  return environmentChange[capability];
}

function isList(environmentChange: EnvironmentChange): environmentChange is readonly Capability[] {
  return Array.isArray(environmentChange);
}
