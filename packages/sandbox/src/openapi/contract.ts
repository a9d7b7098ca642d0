import { type HttpResponse, jsonResponse } from "../http/http-response.ts";
import type { Service } from "../runtime/service.ts";

/** Where the published contract is; it needs no key. */
export const contractPath = "/openapi.json";

/** Written when somebody asks for it for the first time: a start must not wait for it. */
export function createContractHandler({ addresses }: Service): () => Promise<HttpResponse> {
  let response: Promise<HttpResponse> | null = null;
  async function write(): Promise<HttpResponse> {
    const { openApiDocument } = await import("./document.ts");
    return jsonResponse(200, openApiDocument(addresses.baseUrl));
  }
  return () => {
    response ??= write();
    return response;
  };
}
