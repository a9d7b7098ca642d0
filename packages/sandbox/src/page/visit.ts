import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "../api/answer.ts";
import type { Service } from "../service/service.ts";
import { pageHeaders } from "./document.ts";
import type { View } from "./view.ts";

export type PageRequest = {
  method: string;
  /** After the base address of the hosted page: `/cs_…` and what follows. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  form: URLSearchParams;
};

/** A page or an action on it, once its session was found. */
export type Visit = {
  service: Service;
  view: View;
  request: PageRequest;
  /** The transaction that the address names, or "". */
  transactionId: string;
};

/** Another address, by GET: a reload never sends a form twice. */
export function seeOther(view: View, location: string, headers: Record<string, string> = {}): Answer {
  return { status: 303, headers: { ...pageHeaders(view.nonce), Location: location, ...headers }, body: "" };
}
