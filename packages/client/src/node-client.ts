import { createClientWithTransport, type ServiceClient, type ServiceClientOptions } from "./service-client.ts";
import { createNodeTransport } from "./transport/node-transport.ts";

/**
 * A client of the service over `node:http` and `node:https`. Pass `transport` to share keep-alive connections.
 *
 * @throws ServiceError `key_invalid`, `url_invalid`, `insecure_url`
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  return createClientWithTransport(options?.transport ?? createNodeTransport(), options);
}
