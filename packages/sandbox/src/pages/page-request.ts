import type { IncomingHttpHeaders } from "node:http";

export type PageRequest = {
  method: string;
  /** After the base address of the hosted page: `/cs_…` and what follows. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  form: URLSearchParams;
};
