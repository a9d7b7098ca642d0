/** The part of Medusa's application container that we use; Medusa's own type fits. */
export type MedusaContainer = { resolve(name: string): unknown };

/** Names in that container. */
const NAMES = {
  query: "query",
  workflows: "workflows",
  payment: "payment",
  notification: "notification",
} as const;

/** `query.graph`: rows of an entity with the named fields, across Medusa's modules. */
export type Query = {
  graph(want: {
    readonly entity: string;
    readonly fields: readonly string[];
    readonly filters: Readonly<Record<string, unknown>>;
  }): Promise<{ readonly data: readonly unknown[] }>;
};

export type WorkflowEngine = {
  run(workflowId: string, options: { readonly input: unknown }): Promise<unknown>;
};

/** Medusa's payment module, as far as we write it. Some versions of it empty the currency of a change that does not name it. */
type PaymentModule = {
  updatePaymentCollections(
    id: string,
    change: { readonly currency_code: string; readonly metadata: Record<string, unknown> },
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

export function workflowsOf(container: MedusaContainer): WorkflowEngine {
  return container.resolve(NAMES.workflows) as WorkflowEngine;
}

export function paymentsOf(container: MedusaContainer): PaymentModule {
  return container.resolve(NAMES.payment) as PaymentModule;
}

export function notificationsOf(container: MedusaContainer): NotificationModule {
  return container.resolve(NAMES.notification) as NotificationModule;
}
