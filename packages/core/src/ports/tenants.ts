import type { Environment } from "../domain/order.ts";
import type { Service } from "./service.ts";

/** The API keys of all stores. An event of an endpoint is applied only to payments of that endpoint's credentials. */
export interface Tenants {
  /** @throws CheckoutError `store_not_known`, `environment_differs` */
  credentialFor(storeId: string, environment: Environment): Promise<Credential>;
  /** @throws CheckoutError `credential_not_known` */
  service(credentialId: string): Promise<Service>;
  endpoint(endpointId: string): Promise<WebhookEndpoint | null>;
}

export type Credential = { readonly id: string; readonly account: string | null };

export type WebhookEndpoint = {
  readonly secrets: readonly string[];
  readonly credentialIds: readonly string[];
  readonly environment: Environment;
};
