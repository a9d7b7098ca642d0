import { type Answer, jsonAnswer } from "../api/answer.ts";
import type { Service } from "../service/service.ts";

/** Where the published contract is; it needs no key. */
export const contractPath = "/openapi.json";

/** Written when somebody asks for it for the first time: a start must not wait for it. */
export function createContract({ addresses }: Service): () => Promise<Answer> {
  let answer: Promise<Answer> | null = null;
  async function write(): Promise<Answer> {
    const { openApiDocument } = await import("./document.ts");
    return jsonAnswer(200, openApiDocument(addresses.baseUrl));
  }
  return () => {
    answer ??= write();
    return answer;
  };
}
