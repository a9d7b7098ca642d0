import type { HttpResponse } from "../http/http-response.ts";
import { pageHeaders } from "../pages/document.ts";
import type { PageRequest } from "../pages/page-request.ts";
import type { Service } from "../runtime/service.ts";
import type { SessionView } from "./session-view.ts";

/** A page or an action on it, once its session was found. */
export type SessionPageCall = {
  service: Service;
  view: SessionView;
  request: PageRequest;
  /** The transaction that the address names, or "". */
  transactionId: string;
};

/** Another address, by GET: a reload never sends a form twice. */
export function seeOther(view: SessionView, location: string, headers: Record<string, string> = {}): HttpResponse {
  return { status: 303, headers: { ...pageHeaders(view.nonce), Location: location, ...headers }, body: "" };
}
