import type { IncomingHttpHeaders } from "node:http";

export type PageRequest = {
  method: string;
  /** The path below the base path of the page, such as `/cs_…/waiting`. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  form: URLSearchParams;
};
