import { type Operation, unknownId } from "./operations.ts";
import type { Merchant, Service } from "./service.ts";
import { cardCharge, order, waveCharge } from "./steps.ts";

export const allCapabilities = [
  "payment.create",
  "transaction.read_own",
  "transaction.read",
  "customer.read",
  "customer.write",
  "refund.create",
];

export type Operator = Merchant & { readonly operatorId: string };
export type Member = Merchant & { readonly memberId: string; readonly account: string };

export async function createOperator(service: Service, status = "active"): Promise<Operator> {
  const answer = await service.control("POST /operators", { name: "An operator", status });
  return { ...service.merchantOf(answer), operatorId: answer.text("operator_id") };
}

export async function createMember(service: Service, change: object = {}): Promise<Member> {
  const answer = await service.control("POST /members", { name: "A member", status: "active", ...change });
  return { ...service.merchantOf(answer), memberId: answer.text("member_id"), account: answer.text("account") };
}

/** Connects an Operator with a Member Account and returns the membership's id. */
export async function createMembership(
  service: Service,
  operator: Operator,
  member: Member,
  change: object = {},
): Promise<string> {
  const answer = await service.control("POST /memberships", {
    operator_id: operator.operatorId,
    account: member.account,
    status: "active",
    capabilities: { test: allCapabilities, live: [] },
    ...change,
  });
  return answer.text("membership_id");
}

/** A valid body for the endpoints that need one. */
export function bodyFor(operation: Operation): { body?: Record<string, unknown> } {
  if (operation.startsWith("GET")) return {};
  const bodies: Partial<Record<Operation, Record<string, unknown>>> = {
    "POST /checkout-sessions": order,
    "POST /charge/card": cardCharge,
    "POST /charge/wave": waveCharge,
    "POST /charge/mtn": waveCharge,
    "POST /refunds": { transaction_id: unknownId, amount: 100 },
    "POST /customers": { name: "Awa" },
  };
  return { body: bodies[operation] ?? { city: "Dakar" } };
}
