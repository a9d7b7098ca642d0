import { ApiError } from "../domain/api-error.ts";
import { normaliseId } from "../domain/identifiers.ts";
import { listJson, readPage } from "../http/pagination.ts";
import type { Service } from "../runtime/service.ts";
import type { SandboxControl } from "./control.ts";
import { listDeliveries } from "./delivery-records.ts";
import { listEvents } from "./event-records.ts";
import type { MoneyRequest } from "./money-requests.ts";
import type { NetworkRequest } from "./network-requests.ts";
import type { OrganizationRequest } from "./organization-requests.ts";
import { listSessions, sessionIdOf } from "./session-records.ts";

export type ControlCall = {
  service: Service;
  control: SandboxControl;
  id: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
};

/** The routes of the control API. `{id}` is the only path parameter. The function that a route calls checks the body. */
export const controlRoutes: Record<`${string} /${string}`, (call: ControlCall) => unknown> = {
  "GET /settings": ({ control }) => control.readSettings(),
  "PATCH /settings": ({ control, body }) => control.changeSettings(body),
  "GET /clock": ({ control }) => control.readClock(),
  "POST /clock": ({ control, body }) => control.advanceClock(onlyField(body, "advanceMs") as number),
  "GET /faults": ({ control }) => control.listFaults(),
  "POST /faults": ({ service, body }) => service.faults.add(body),
  "DELETE /faults": ({ control }) => control.clearFaults(),
  "GET /checkout-sessions": async ({ service, query }) => {
    const page = readPage(query);
    const { items, total } = await listSessions(service, page);
    return listJson(items, total, page);
  },
  "POST /checkout-sessions/{id}/pay": ({ control, id, body }) =>
    control.paySession(id, body as Parameters<SandboxControl["paySession"]>[1]),
  "POST /checkout-sessions/{id}/expire": ({ control, id }) => control.expireSession(id),
  "POST /transactions/{id}/complete": ({ control, id }) => control.completeTransaction(id),
  "POST /transactions/{id}/fail": ({ control, id, body }) =>
    control.failTransaction(id, onlyField(body, "failure_code") as Parameters<SandboxControl["failTransaction"]>[1]),
  "POST /card-charges/{id}/confirm": ({ control, id, body }) =>
    control.confirmCardCharge(id, body as MoneyRequest<"cardConfirmation">),
  "POST /refunds/{id}/complete": ({ control, id }) => control.completeRefund(id),
  "POST /refunds/{id}/fail": ({ control, id }) => control.failRefund(id),
  "POST /payouts/{id}/complete": ({ control, id }) => control.completePayout(id),
  "POST /payouts/{id}/fail": ({ control, id }) => control.failPayout(id),
  "POST /subscriptions": ({ control, body }) => control.createSubscription(body),
  "PATCH /subscriptions/{id}": ({ control, id, body }) => control.changeSubscription(id, body),
  "POST /subscriptions/{id}/pause": ({ control, id, body }) => control.pauseSubscription(id, body),
  "POST /subscriptions/{id}/resume": ({ control, id, body }) => control.resumeSubscription(id, body),
  "POST /subscriptions/{id}/renew": ({ control, id, body }) => control.renewSubscription(id, body),
  "POST /subscriptions/{id}/cancel": ({ control, id, body }) => control.cancelSubscription(id, body),
  "POST /subscriptions/{id}/expire": ({ control, id }) => control.expireSubscription(id),
  "POST /disputes": ({ control, body }) => control.createDispute(body as MoneyRequest<"newDispute">),
  "PATCH /disputes/{id}": ({ control, id, body }) => control.updateDispute(id, body),
  "POST /disputes/{id}/close": ({ control, id, body }) =>
    control.closeDispute(id, body as MoneyRequest<"disputeClosure">),
  "GET /events": async ({ service, query }) => {
    const page = readPage(query);
    const { items, total } = await listEvents(service.store.database, page, {
      sessionId: await sessionIdOf(service.store.database, query.get("checkout_session_id")),
    });
    return listJson(items, total, page);
  },
  "POST /events/{id}/deliver": ({ control, id }) => control.deliverEvent(id),
  "GET /deliveries": async ({ service, query }) => {
    const page = readPage(query);
    const { items, total } = await listDeliveries(service.store.database, page, {
      eventId: idInQuery(query, "event_id"),
    });
    return listJson(items, total, page);
  },
  "GET /requests": ({ control, query }) => control.listRequests(idInQuery(query, "request_id") ?? undefined),
  "GET /organizations": ({ control }) => control.listOrganizations(),
  "POST /organizations": ({ control, body }) => control.createOrganization(onlyField(body, "name") as string),
  "PATCH /organizations/{id}": ({ control, id, body }) => control.updateOrganization(id, body),
  "POST /organizations/{id}/keys": ({ control, id, body }) =>
    control.generateKey(id, body as OrganizationRequest<"newKey">),
  "POST /organizations/{id}/keys/regenerate": ({ control, id, body }) =>
    control.regenerateKey(id, body as OrganizationRequest<"newKey">),
  "POST /organizations/{id}/keys/revoke": ({ control, id, body }) =>
    control.revokeKey(id, body as OrganizationRequest<"keyRevocation">),
  "GET /operators": ({ control }) => control.listOperators(),
  "POST /operators": ({ control, body }) => control.createOperator(body as NetworkRequest<"newOperator">),
  "PATCH /operators/{id}": ({ control, id, body }) => control.updateOperator(id, body),
  "GET /operators/{id}/fees": ({ control, id }) => control.listOperatorFees(id),
  "GET /members": ({ control }) => control.listMembers(),
  "POST /members": ({ control, body }) => control.createMember(body as NetworkRequest<"newMember">),
  "PATCH /members/{id}": ({ control, id, body }) => control.updateMember(id, body),
  "GET /memberships": ({ control }) => control.listMemberships(),
  "POST /memberships": ({ control, body }) => control.createMembership(body as NetworkRequest<"newMembership">),
  "PATCH /memberships/{id}": ({ control, id, body }) => control.updateMembership(id, body),
  "GET /invites": ({ control }) => control.listInvites(),
  "POST /invites": ({ control, body }) => control.createInvite(body as NetworkRequest<"newInvite">),
  "PATCH /invites/{id}": ({ control, id, body }) => control.updateInvite(id, body as NetworkRequest<"inviteChange">),
  "POST /invites/{id}/complete": ({ control, id, body }) =>
    control.completeInvite(id, body as NetworkRequest<"inviteCompletion">),
  "POST /snapshots": ({ control, body }) => control.saveSnapshot(onlyField(body, "name") as string),
  "POST /snapshots/{id}/load": ({ control, id }) => control.loadSnapshot(id),
  "POST /reset": ({ control }) => control.reset(),
};

/** The value of the one field that a body may have. @throws ApiError `bad_request` for another field */
function onlyField(body: Record<string, unknown>, name: string): unknown {
  const unknownField = Object.keys(body).find((field) => field !== name);
  if (unknownField !== undefined) throw new ApiError("bad_request", `Unknown field "${unknownField}".`);
  return body[name];
}

function idInQuery(query: URLSearchParams, name: string): string | null {
  const id = query.get(name);
  return id === null ? null : normaliseId(id);
}
