/** The part of Medusa's application container that the plugin uses. */
export type MedusaContainer = { resolve(name: string): unknown };

/** Registration names in Medusa's container. */
const NAMES = {
  query: "query",
  workflows: "workflows",
  payment: "payment",
  notification: "notification",
} as const;

/** `query.graph` returns rows of an entity with the named fields, across Medusa's modules. */
export type Query = {
  graph(request: {
    readonly entity: string;
    readonly fields: readonly string[];
    readonly filters: Readonly<Record<string, unknown>>;
  }): Promise<{ readonly data: readonly unknown[] }>;
};

export type WorkflowEngine = {
  run(workflowId: string, options: { readonly input: unknown }): Promise<unknown>;
};

/** Some Medusa versions clear the currency when an update does not name it, so it is required here. */
type PaymentModule = {
  updatePaymentCollections(
    id: string,
    update: { readonly currency_code: string; readonly metadata: Record<string, unknown> },
  ): Promise<unknown>;
};

export type NotificationModule = {
  createNotifications(notification: {
    readonly to: string;
    readonly channel: string;
    readonly template: string;
    readonly idempotency_key: string;
    readonly data: Readonly<Record<string, unknown>>;
  }): Promise<unknown>;
};

export function queryOf(container: MedusaContainer): Query {
  return container.resolve(NAMES.query) as Query;
}

export function workflowEngineOf(container: MedusaContainer): WorkflowEngine {
  return container.resolve(NAMES.workflows) as WorkflowEngine;
}

export function paymentModuleOf(container: MedusaContainer): PaymentModule {
  return container.resolve(NAMES.payment) as PaymentModule;
}

export function notificationModuleOf(container: MedusaContainer): NotificationModule {
  return container.resolve(NAMES.notification) as NotificationModule;
}
