import { ApiError, notFound } from "../domain/api-error.ts";
import { normaliseId } from "../domain/identifiers.ts";
import { errorResponse, type HttpResponse, jsonResponse } from "../http/http-response.ts";
import { allowHeader, methodNotAllowed, optionsResponse } from "../http/methods.ts";
import type { Service } from "../runtime/service.ts";
import type { SandboxControl } from "./control.ts";
import { type ControlCall, controlRoutes } from "./control-routes.ts";

export type ControlRequest = { method: string; path: string; query: URLSearchParams; body: Uint8Array };

type Route = { run: (call: ControlCall) => unknown; method: string; template: string };

const routes: readonly Route[] = Object.entries(controlRoutes).map(([route, run]) => {
  const [method = "", template = ""] = route.split(" ");
  return { run, method, template };
});

/** Handles a request to the control API. Never throws: every error becomes the error object of the API. */
export async function handleControlRequest(
  service: Service,
  control: SandboxControl,
  request: ControlRequest,
): Promise<HttpResponse> {
  const requestId = service.ids.uuid();
  const headers: Record<string, string> = { "X-Request-Id": requestId };
  try {
    const matching = routes.filter(({ template }) => idInPath(template, request.path) !== null);
    if (matching.length === 0) throw notFound("Control route");
    const methods = matching.map(({ method }) => method);
    if (request.method === "OPTIONS") return optionsResponse(methods, headers);
    const handledMethod = request.method === "HEAD" ? "GET" : request.method;
    const route = matching.find(({ method }) => method === handledMethod);
    if (route === undefined) {
      headers.Allow = allowHeader(methods);
      throw methodNotAllowed(request.method, methods);
    }
    const id = idInPath(route.template, request.path) ?? "";
    const result = await route.run({ service, control, id, query: request.query, body: readObject(request.body) });
    return result === undefined ? { status: 204, headers: {}, body: null } : jsonResponse(successStatus(route), result);
  } catch (error) {
    if (!(error instanceof ApiError) && error instanceof Error) process.emitWarning(error);
    return errorResponse(error, requestId, headers);
  }
}

/** The `{id}` of a path. "" when the template has no `{id}`, and null when the path does not match the template. */
function idInPath(template: string, path: string): string | null {
  const [before = "", after] = template.split("{id}");
  if (after === undefined) return path === template ? "" : null;
  if (!path.startsWith(before) || !path.endsWith(after)) return null;
  const id = path.slice(before.length, path.length - after.length);
  return id === "" || id.includes("/") ? null : normaliseId(decodeSegment(id));
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The paths whose POST creates a resource and answers 201. */
const creatingPaths: readonly string[] = [
  "/disputes",
  "/faults",
  "/invites",
  "/members",
  "/memberships",
  "/operators",
  "/organizations",
  "/organizations/{id}/keys",
  "/organizations/{id}/keys/regenerate",
  "/snapshots",
  "/subscriptions",
];

function successStatus({ method, template }: Route): number {
  return method === "POST" && creatingPaths.includes(template) ? 201 : 200;
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
