export { type Capability, type Endpoint, endpoints, type OperationId } from "./api/endpoints.ts";
