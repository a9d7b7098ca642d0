import type { Answer } from "../../answer.ts";
import { fullBodies } from "../../odd-input.ts";
import { endpoints, type Operation } from "../../operations.ts";

export const operations = endpoints.map(({ operation }) => operation);
export const operationsWithBody = operations.filter((operation) => fullBodies[operation] !== undefined);
export const readOperations = operations.filter((operation) => operation.startsWith("GET"));
export const operationsWithId = operations.filter((operation) => operation.includes("{"));

/**
 * Checks that the status is below 500. `service.call` checks every answer for the error object and for stack traces.
 * `POST /charge/switch` is closed at the service, which answers 503 to every call.
 */
export function expectNoServerError(operation: Operation, answer: Answer, sent: unknown): void {
  const isExpected = answer.status < 500 || (operation === "POST /charge/switch" && answer.status === 503);
  if (!isExpected)
    throw new Error(`${operation} answers ${answer.status} ${answer.raw} to ${JSON.stringify(sent)?.slice(0, 300)}`);
}

/** Replaces lone surrogates, which a URL cannot contain. */
export function withoutLoneSurrogates(text: unknown): string {
  return Buffer.from(String(text)).toString();
}
