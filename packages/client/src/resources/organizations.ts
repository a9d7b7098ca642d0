import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import type { ListCall } from "../call/list-call.ts";
import { callList, callOne, type SendOperation } from "../call/operation.ts";
import {
  type Merchant,
  type Organization,
  type Provider,
  readMerchant,
  readOrganization,
  readProvider,
} from "../models/organization.ts";

export type Organizations = {
  /** GET /organizations: the key's own. */
  list(call?: PlainCallOptions): ListCall<Organization>;
  read(id: string, call?: PlainCallOptions): Promise<ServiceResponse<Organization>>;
};

export type Merchants = {
  /** GET /merchants/{id}; the id of another merchant is `forbidden`. */
  read(id: string, call?: PlainCallOptions): Promise<ServiceResponse<Merchant>>;
};

export type Providers = {
  /** GET /providers: the ways of being paid, connected or not. */
  list(query?: { readonly provider_code?: string }, call?: PlainCallOptions): ListCall<Provider>;
};

export function organizations(send: SendOperation): Organizations {
  return {
    list: (call) => callList(send, "OrganizationsController_findAll", readOrganization, {}, call),
    read: (id, call) => callOne(send, "OrganizationsController_findOne", readOrganization, { params: { id } }, call),
  };
}

export function merchants(send: SendOperation): Merchants {
  return {
    read: (id, call) => callOne(send, "MerchantsController_findOne", readMerchant, { params: { id } }, call),
  };
}

export function providers(send: SendOperation): Providers {
  return {
    list: (query = {}, call) => callList(send, "ProvidersController_findAll", readProvider, { query }, call),
  };
}
