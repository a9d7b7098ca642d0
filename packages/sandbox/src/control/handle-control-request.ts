import { ApiError, notFound } from "../domain/api-error.ts";
import { errorResponse, type HttpResponse, jsonResponse } from "../http/http-response.ts";
import { listJson, readPage } from "../http/pagination.ts";
import type { Service } from "../runtime/service.ts";
import type { SandboxControl } from "./control.ts";
import { listDeliveries } from "./delivery-records.ts";
import { listEvents } from "./event-records.ts";
import type { MoneyRequest } from "./money-requests.ts";
import type { NetworkRequest } from "./network-requests.ts";
import { listSessions } from "./session-records.ts";

export type ControlRequest = { method: string; path: string; query: URLSearchParams; body: Uint8Array };

type ControlCall = {
  service: Service;
  control: SandboxControl;
  id: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
};

/** The routes of the control API. `{id}` is the only path parameter. The called functions check the bodies. */
const routes: Record<string, (call: ControlCall) => unknown> = {
  "GET /settings": ({ control }) => control.readSettings(),
  "PATCH /settings": ({ control, body }) => control.changeSettings(body),
  "GET /clock": ({ control }) => control.readClock(),
  "POST /clock": ({ control, body }) => control.advanceClock(body.advanceMs as number),
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
    control.failTransaction(id, body.failure_code as Parameters<SandboxControl["failTransaction"]>[1]),
  "POST /card-charges/{id}/confirm": ({ control, id, body }) =>
    control.confirmCardCharge(id, body as { number: string }),
  "POST /refunds/{id}/complete": ({ control, id }) => control.completeRefund(id),
  "POST /refunds/{id}/fail": ({ control, id }) => control.failRefund(id),
  "POST /payouts/{id}/complete": ({ control, id }) => control.completePayout(id),
  "POST /payouts/{id}/fail": ({ control, id }) => control.failPayout(id),
  "POST /subscriptions": ({ control, body }) => control.createSubscription(body),
  "POST /subscriptions/{id}/pause": ({ control, id }) => control.pauseSubscription(id),
  "POST /subscriptions/{id}/resume": ({ control, id }) => control.resumeSubscription(id),
  "POST /subscriptions/{id}/renew": ({ control, id, body }) => control.renewSubscription(id, body),
  "POST /subscriptions/{id}/cancel": ({ control, id, body }) => control.cancelSubscription(id, body),
  "POST /disputes": ({ control, body }) => control.createDispute(body as MoneyRequest<"newDispute">),
  "PATCH /disputes/{id}": ({ control, id, body }) => control.updateDispute(id, body),
  "POST /disputes/{id}/close": ({ control, id, body }) =>
    control.closeDispute(id, body as MoneyRequest<"disputeClosure">),
  "GET /events": async ({ service, query }) => {
    const page = readPage(query);
    const { items, total } = await listEvents(service.store.database, page, {
      sessionId: query.get("checkout_session_id"),
    });
    return listJson(items, total, page);
  },
  "POST /events/{id}/deliver": ({ control, id }) => control.deliverEvent(id),
  "GET /deliveries": async ({ service, query }) => {
    const page = readPage(query);
    const { items, total } = await listDeliveries(service.store.database, page, { eventId: query.get("event_id") });
    return listJson(items, total, page);
  },
  "GET /requests": ({ control, query }) => control.listRequests(query.get("request_id") ?? undefined),
  "GET /organizations": ({ control }) => control.listOrganizations(),
  "POST /organizations": ({ control, body }) => control.createOrganization(body.name as string),
  "PATCH /organizations/{id}": ({ control, id, body }) => control.updateOrganization(id, body),
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
  "PATCH /invites/{id}": ({ control, id, body }) => control.updateInvite(id, body as NetworkRequest<"invite">),
  "POST /invites/{id}/complete": ({ control, id, body }) =>
    control.completeInvite(id, body as NetworkRequest<"completion">),
  "POST /snapshots": ({ control, body }) => control.saveSnapshot(body.name as string),
  "POST /snapshots/{id}/load": ({ control, id }) => control.loadSnapshot(id),
  "POST /reset": ({ control }) => control.reset(),
};

/** Handles a request to the control API. Never throws: every error becomes the error object of the API. */
export async function handleControlRequest(
  service: Service,
  control: SandboxControl,
  request: ControlRequest,
): Promise<HttpResponse> {
  const requestId = service.ids.uuid();
  try {
    const { run, id } = findRoute(request);
    const body = readObject(request.body);
    const done = await run({ service, control, id, query: request.query, body });
    return done === undefined ? { status: 204, headers: {}, body: null } : jsonResponse(statusFor(request), done);
  } catch (error) {
    if (!(error instanceof ApiError) && error instanceof Error) process.emitWarning(error);
    return errorResponse(error, requestId, { "X-Request-Id": requestId });
  }
}

function findRoute({ method, path }: ControlRequest): { run: (call: ControlCall) => unknown; id: string } {
  const [, resource = "", id = "", verb] = path.split("/");
  const exact = routes[`${method} ${path}`];
  if (exact !== undefined) return { run: exact, id: "" };
  const run = routes[`${method} /${resource}/{id}${verb === undefined ? "" : `/${verb}`}`];
  if (run === undefined || id === "") throw notFound("Control route");
  return { run, id };
}

const creatingPaths: readonly string[] = [
  ...["/faults", "/organizations", "/operators", "/members", "/memberships", "/invites"],
  ...["/subscriptions", "/disputes", "/snapshots"],
];

function statusFor({ method, path }: ControlRequest): number {
  return method === "POST" && creatingPaths.includes(path) ? 201 : 200;
}

/** Reads JSON with any Content-Type, because developers type these requests with curl. */
function readObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new ApiError("bad_request", "The body must be a JSON object.");
}
