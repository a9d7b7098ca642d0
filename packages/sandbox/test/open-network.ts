import type { Sandbox } from "../src/index.ts";
import { type ApiResponse, api, control, type Json, order } from "./open-sandbox.ts";

export const everyCapability = [
  "payment.create",
  "transaction.read_own",
  "transaction.read",
  "customer.read",
  "customer.write",
  "refund.create",
];

export type Network = {
  operator: Json;
  member: Json;
  membershipId: string;
  /** A request with the Operator's secret test key and the member's account in `Service-Account`. */
  callForMember(route: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** A request with the Operator's secret test key, without `Service-Account`. */
  callAsOperator(route: string, body?: unknown): Promise<ApiResponse>;
  /** A request with the member's own secret test key. */
  callAsMember(route: string, body?: unknown): Promise<ApiResponse>;
  grant(...capabilities: string[]): Promise<void>;
};

/** An Operator, and a member that grants it these capabilities in the test environment. */
export async function openNetwork(
  sandbox: Sandbox,
  { capabilities = everyCapability, operator: operatorFields = {}, member: memberFields = {} } = {},
): Promise<Network> {
  const operator = await createResource(sandbox, "POST /operators", { name: "Teranga", ...operatorFields });
  const member = await createResource(sandbox, "POST /members", { name: "Chez Fatou", ...memberFields });
  const membership = await createResource(sandbox, "POST /memberships", {
    operator_id: operator.operator_id,
    account: member.account,
    status: "active",
    capabilities: { test: capabilities, live: [] },
  });
  const key = operator.keys.test.secret;
  const withBody = (body: unknown) => (body === undefined ? {} : { body });
  const membershipId = membership.membership_id;
  return {
    operator,
    member,
    membershipId,
    callForMember: (route, body, headers) =>
      api(sandbox, route, { key, headers: { "Service-Account": member.account, ...headers }, ...withBody(body) }),
    callAsOperator: (route, body) => api(sandbox, route, { key, ...withBody(body) }),
    callAsMember: (route, body) => api(sandbox, route, { key: member.keys.test.secret, ...withBody(body) }),
    async grant(...granted) {
      const changed = await control(sandbox, `PATCH /memberships/${membershipId}`, { capabilities: { test: granted } });
      if (changed.status !== 200) throw new Error(changed.text);
    },
  };
}

/** Creates a resource with the control API and returns it. */
export async function createResource(sandbox: Sandbox, route: string, body: unknown): Promise<Json> {
  const { status, json, text } = await control(sandbox, route, body);
  if (status !== 201) throw new Error(`${route} answered ${status} ${text}`);
  return json;
}

/** Opens and pays a session that the Operator creates for the member. Returns the transaction. */
export async function delegatedPayment(sandbox: Sandbox, network: Network, fields: Json = {}): Promise<Json> {
  const session = (await network.callForMember("POST /checkout-sessions", { ...order, ...fields })).json;
  return sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
}
