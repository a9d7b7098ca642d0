import type { HttpResponse } from "../http/http-response.ts";
import { pageHeaders } from "../pages/document.ts";
import type { PageRequest } from "../pages/page-request.ts";
import type { Service } from "../runtime/service.ts";
import type { SessionView } from "./session-view.ts";

/** A request for a page of a session, or for an action on it. */
export type SessionPageCall = {
  service: Service;
  view: SessionView;
  request: PageRequest;
  /** The transaction id in the path, or "". */
  transactionId: string;
};

/** Redirects to another URL by GET, so a reload never sends a form twice. */
export function seeOther(view: SessionView, location: string, headers: Record<string, string> = {}): HttpResponse {
  return { status: 303, headers: { ...pageHeaders(view.nonce), Location: location, ...headers }, body: "" };
}
