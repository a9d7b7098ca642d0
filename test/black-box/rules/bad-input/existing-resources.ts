import { beforeAll } from "vitest";
import { type Operation, unknownParams } from "../../operations.ts";
import type { Service } from "../../service.ts";
import { listen, paidSession } from "../../steps.ts";

export type ExistingResources = Readonly<Record<"session" | "transaction" | "customer" | "webhook" | "log", string>>;

/** Creates one resource of each kind before the tests, so that a request that passes the checks is executed completely. */
export function createResources(service: Service): {
  ids(): ExistingResources;
  /** The path parameters that name these resources, where the operation has any. */
  paramsOf(operation: Operation): Record<string, string>;
} {
  let created: ExistingResources | null = null;
  beforeAll(async () => {
    const { sessionId, transactionId } = await paidSession(service, service.call);
    const webhook = (await listen(service, service.call, ["PAYMENT_FAILED"])).id;
    created = {
      session: sessionId,
      transaction: transactionId,
      customer: (await service.call("POST /customers", { body: { name: "Awa" } })).text("customer_id"),
      webhook,
      log: (await service.call("POST /webhooks/{id}/test", { params: { id: webhook } })).text("log_id"),
    };
  });

  function ids(): ExistingResources {
    if (created === null) throw new Error("The resources are used before they were created.");
    return created;
  }

  return {
    ids,
    paramsOf(operation) {
      const { webhook, log, customer } = ids();
      if (operation.includes("/webhooks/")) return { id: webhook, webhook_id: webhook, log_id: log };
      return operation.includes("/customers/") ? { id: customer } : unknownParams(operation);
    },
  };
}
