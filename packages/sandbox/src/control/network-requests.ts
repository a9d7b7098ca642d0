import { z } from "zod";
import { currencies } from "../domain/currencies.ts";
import { brandingSchema } from "../network/branding.ts";
import { type Capabilities, capabilities, type GrantChange } from "../network/capabilities.ts";
import { grantStates, membershipStatuses, partyStatuses } from "../storage/network-tables.ts";

const oneOf = <Name extends string>(names: readonly Name[]) =>
  z.enum(names, { error: `must be one of ${names.join(", ")}` });

const capability = oneOf(capabilities);
const capabilityList = z.array(capability);
const perEnvironment = z.strictObject({ test: capabilityList.default([]), live: capabilityList.default([]) });

/** A plain list requests the same capabilities in both environments. */
const requestedCapabilities = z
  .union([capabilityList, perEnvironment], {
    error: `must be a list of ${capabilities.join(", ")}, or { test: […], live: […] } of them`,
  })
  .transform((list): Capabilities => (Array.isArray(list) ? { test: list, live: list } : list));

/** A list names the grants that remain. An object sets the states of single capabilities. */
const grants = z
  .union([capabilityList, z.partialRecord(capability, oneOf(grantStates))], {
    error: `must be a list of ${capabilities.join(", ")}, or an object from them to ${grantStates.join(", ")}`,
  })
  .optional();
const grantChange: z.ZodType<GrantChange> = z.strictObject({ test: grants, live: grants });

const wireAmount = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const currency_code = oneOf(currencies);
const basis_points = z.int().min(1).max(10_000);
/** The least and the greatest fee of a rule. */
const bounds = { minimum: wireAmount.optional(), maximum: wireAmount.optional() };

const feeRule = z
  .discriminatedUnion(
    "kind",
    [
      z.strictObject({ kind: z.literal("fixed"), amount: wireAmount, currency_code }),
      z.strictObject({
        kind: z.literal("percentage"),
        basis_points,
        ...bounds,
        currency_code: currency_code.optional(),
      }),
      z.strictObject({ kind: z.literal("blended"), amount: wireAmount, basis_points, ...bounds, currency_code }),
    ],
    { error: "must be an object whose kind is fixed, percentage or blended" },
  )
  .superRefine((rule, context) => {
    if (rule.kind === "fixed") return;
    const { minimum, maximum } = rule;
    const addProblem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (minimum !== undefined && maximum !== undefined && minimum > maximum) addProblem("minimum", "is above maximum");
    const hasAmount = minimum !== undefined || maximum !== undefined;
    if (hasAmount && rule.currency_code === undefined)
      addProblem("currency_code", "is required with minimum or maximum");
  });

const name = z.string({ error: "must be a text" }).trim().min(1).max(100);
const operatorFields = {
  status: oneOf(partyStatuses).optional(),
  default_capabilities: requestedCapabilities.optional(),
  fee: feeRule.nullable().optional(),
};
const memberFields = { status: oneOf(partyStatuses).optional(), branding: brandingSchema.optional() };
const id = z.string({ error: "must be an id" }).min(1);
const membershipFields = { status: oneOf(membershipStatuses).optional(), capabilities: grantChange.optional() };

/** Request bodies of the control API for the Network. */
export const networkRequestSchemas = {
  newOperator: z.strictObject({ name, ...operatorFields }),
  operatorChange: z.strictObject(operatorFields),
  newMember: z.strictObject({ name, ...memberFields }),
  memberChange: z.strictObject(memberFields),
  newMembership: z.strictObject({ operator_id: id, account: id, ...membershipFields }),
  membershipChange: z.strictObject(membershipFields),
  newInvite: z.strictObject({ operator_id: id, requested_capabilities: requestedCapabilities.optional() }),
  inviteChange: z.strictObject({ status: z.literal("cancelled", { error: "must be cancelled" }) }),
  inviteCompletion: z.strictObject({ account: id }),
};

export type NetworkRequest<Name extends keyof typeof networkRequestSchemas> = z.input<
  (typeof networkRequestSchemas)[Name]
>;
