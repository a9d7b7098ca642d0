import { createClientWithTransport, type ServiceClient, type ServiceClientOptions } from "./service-client.ts";
import { createFetchTransport } from "./transport/fetch-transport.ts";

export { isServiceError, ServiceError, type ServiceErrorCode } from "./errors/service-error.ts";
export type { ServiceClient, ServiceClientOptions } from "./service-client.ts";
export { createFetchTransport, type FetchLike } from "./transport/fetch-transport.ts";
export { createSendBy, type SendBy, type SendByClock } from "./transport/send-by.ts";
export type { Transport, TransportRequest, TransportResponse } from "./transport/transport.ts";

/**
 * `createServiceClient` over `fetch`, without Node built-ins, for edge functions and workers. Keep it out of browsers: it
 * holds the secret key.
 *
 * @throws ServiceError `key_invalid`, `url_invalid`, `insecure_url`
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  return createClientWithTransport(options?.transport ?? createFetchTransport(), options);
}
