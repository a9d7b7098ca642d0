import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { callList, callOne, type ListCall, type SendOperation } from "../call/operation.ts";
import {
  type Merchant,
  type Organization,
  type Provider,
  type ProviderCode,
  parseMerchant,
  parseOrganization,
  parseProvider,
} from "../models/organization.ts";

export type Organizations = {
  /** GET /organizations: the organization of the key. */
  list(options?: PlainCallOptions): ListCall<Organization>;
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<Organization>>;
};

export type Merchants = {
  /** GET /merchants/{id}; the id of another merchant is `forbidden`. */
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<Merchant>>;
};

export type Providers = {
  /** GET /providers: payment providers, connected or not. */
  list(query?: { readonly provider_code?: ProviderCode }, options?: PlainCallOptions): ListCall<Provider>;
};

export function organizations(send: SendOperation): Organizations {
  return {
    list: (options) => callList(send, "OrganizationsController_findAll", parseOrganization, {}, options),
    read: (id, options) =>
      callOne(send, "OrganizationsController_findOne", parseOrganization, { params: { id } }, options),
  };
}

export function merchants(send: SendOperation): Merchants {
  return {
    read: (id, options) => callOne(send, "MerchantsController_findOne", parseMerchant, { params: { id } }, options),
  };
}

export function providers(send: SendOperation): Providers {
  return {
    list: (query = {}, options) => callList(send, "ProvidersController_findAll", parseProvider, { query }, options),
  };
}
