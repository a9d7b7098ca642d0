import type { Metadata, PageQuery } from "./common.ts";

/** Body of POST /customers. Leave a field out instead of sending `""`. */
export type CustomerRequest = {
  name: string;
  email?: string | undefined;
  phone_number?: string | undefined;
  whatsapp_number?: string | undefined;
  country?: string | undefined;
  city?: string | undefined;
  address?: string | undefined;
  postal_code?: string | undefined;
  is_business?: boolean | undefined;
  metadata?: Metadata | undefined;
};

/** Body of PATCH /customers/{id}: the fields that change. */
export type CustomerUpdate = { [Field in keyof CustomerRequest]?: CustomerRequest[Field] | undefined };

/** Filters of GET /customers. */
export type CustomerQuery = PageQuery & {
  /** Part of the name or of the email address. */
  readonly search?: string;
  readonly type?: "business" | "individual" | "all";
  /** An active customer has a transaction. */
  readonly status?: "active" | "inactive" | "all";
};
