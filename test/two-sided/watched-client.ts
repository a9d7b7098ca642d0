import { inspect } from "node:util";
import { type Clock, createNodeTransport, createServiceClient, type ServiceClient } from "@tillkit/client";
import { createServiceClient as createFetchClient, createFetchTransport } from "@tillkit/client/fetch";
import { expect } from "vitest";
import { customer } from "./writes.ts";

/** Both builds of the client, each with its own transport. */
export const transports = {
  "node:http": (options: Options) => createServiceClient({ ...options, transport: createNodeTransport() }),
  fetch: (options: Options) => createFetchClient({ ...options, transport: createFetchTransport() }),
} as const;
export type TransportName = keyof typeof transports;

type IdempotencyKeys = "auto" | "manual";
type Options = {
  apiKey: string;
  baseUrl: string;
  clock: Clock;
  hooks: object;
  random: { fraction(): number };
  idempotencyKeys: IdempotencyKeys;
};

/** A client that records everything that a program could print with it. */
export type WatchedClient = {
  readonly client: ServiceClient;
  /** Returns the number of sent requests. */
  sent(): number;
  /** Records a value that a program would log, and returns it. */
  recordAndReturn<Value>(value: Value): Value;
  /** Fails if a recorded value contains a key or personal data. */
  expectNothingPrivateRecorded(): void;
};

export function createWatchedClient(
  transportName: TransportName,
  baseUrl: string,
  apiKey: string,
  clock: Clock,
  { idempotencyKeys = "auto" }: { idempotencyKeys?: IdempotencyKeys } = {},
): WatchedClient {
  const recorded: string[] = [];
  let sent = 0;
  const recordAndReturn = <Value>(value: Value): Value => {
    const views = [String(value), JSON.stringify(value), inspect(value, { depth: null, showHidden: true })];
    recorded.push(...views.map(String));
    return value;
  };
  const request = (event: unknown): void => {
    sent += 1;
    recordAndReturn(event);
  };
  const hooks = { request, response: recordAndReturn, retry: recordAndReturn };
  const random = { fraction: () => 0 };
  const client = transports[transportName]({ apiKey, baseUrl, clock, hooks, random, idempotencyKeys });
  recordAndReturn(client);
  return {
    client,
    sent: () => sent,
    recordAndReturn,
    expectNothingPrivateRecorded() {
      const all = recorded.join("\n");
      for (const secret of [apiKey, ...Object.values(customer)]) expect(all).not.toContain(secret);
    },
  };
}
