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
  /** A request with the Operator's secret test key for the member. */
  act(route: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** The same without `Service-Account`. */
  own(route: string, body?: unknown): Promise<ApiResponse>;
  /** A request of the member itself. */
  asMember(route: string, body?: unknown): Promise<ApiResponse>;
  grant(...capabilities: string[]): Promise<void>;
};

/** An Operator and a member that lets it do these things in the test environment. */
export async function openNetwork(
  sandbox: Sandbox,
  { capabilities = everyCapability, operator: operatorTerms = {}, member: memberTerms = {} } = {},
): Promise<Network> {
  const operator = await made(sandbox, "POST /operators", { name: "Teranga", ...operatorTerms });
  const member = await made(sandbox, "POST /members", { name: "Chez Fatou", ...memberTerms });
  const membership = await made(sandbox, "POST /memberships", {
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
    act: (route, body, headers) =>
      api(sandbox, route, { key, headers: { "Service-Account": member.account, ...headers }, ...withBody(body) }),
    own: (route, body) => api(sandbox, route, { key, ...withBody(body) }),
    asMember: (route, body) => api(sandbox, route, { key: member.keys.test.secret, ...withBody(body) }),
    async grant(...granted) {
      const changed = await control(sandbox, `PATCH /memberships/${membershipId}`, { capabilities: { test: granted } });
      if (changed.status !== 200) throw new Error(changed.text);
    },
  };
}

/** What a request of the control API made. */
export async function made(sandbox: Sandbox, route: string, body: unknown): Promise<Json> {
  const { status, json, text } = await control(sandbox, route, body);
  if (status !== 201) throw new Error(`${route} answered ${status} ${text}`);
  return json;
}

/** A delegated session, paid. */
export async function delegatedPayment(sandbox: Sandbox, network: Network, fields: Json = {}): Promise<Json> {
  const session = (await network.act("POST /checkout-sessions", { ...order, ...fields })).json;
  return sandbox.control.paySession(session.id, { method: "wave", outcome: "completed" });
}
