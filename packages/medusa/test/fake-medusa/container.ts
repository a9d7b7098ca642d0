import type { MedusaContainer } from "../../src/store/medusa-container.ts";
import type { Carts } from "./carts.ts";
import type { PaymentSessions } from "./payment-sessions.ts";
import type { Payments } from "./payments.ts";
import { createFakeQuery } from "./query.ts";
import { type FakeTables, requireCollection, requireRow } from "./tables.ts";

/** Amounts are compared as numbers, as in Medusa, and differ by a rounding error at most. */
const ROUNDING_ERROR = 0.001;

/** The workflows and modules that the plugin resolves from Medusa's container. */
export function createContainer(
  tables: FakeTables,
  parts: { readonly sessions: PaymentSessions; readonly payments: Payments; readonly carts: Carts },
): MedusaContainer {
  const registrations: Readonly<Record<string, unknown>> = {
    query: createFakeQuery(tables),
    workflows: createWorkflows(tables, parts),
    payment: createPaymentModule(tables),
    notification: createNotificationModule(tables),
  };
  return {
    resolve(name) {
      const registration = registrations[name];
      if (registration === undefined) throw new Error(`AwilixResolutionError: Could not resolve '${name}'.`);
      return registration;
    },
  };
}

function createWorkflows(tables: FakeTables, { sessions, payments, carts }: Parameters<typeof createContainer>[1]) {
  const workflows: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
    "process-payment-workflow": ({ data }: { data: { session_id: string } }) => carts.processPayment(data.session_id),
    "create-payment-sessions": (input: { payment_collection_id: string; provider_id: string }) =>
      sessions.initiate({ collectionId: input.payment_collection_id }, {}, input.provider_id),
    "complete-cart": async ({ id: cartId }: { id: string }) => {
      const cart = tables.carts.find(({ id }) => id === cartId);
      return await carts.complete(requireRow(cart, "cart"));
    },
    "refund-payment-workflow": async (input: { payment_id: string; amount: number; note: string }) => {
      const { payment_id: paymentId, amount, note } = input;
      const found = tables.payments.find(({ id }) => id === paymentId);
      const payment = requireRow(found, "payment");
      const refunded = payment.refunds.reduce((sum, row) => sum + Number(row.amount), 0);
      if (refunded + amount > Number(payment.amount) + ROUNDING_ERROR) {
        throw new Error("You are not allowed to refund more than the captured amount");
      }
      await payments.refund(payment, String(amount), { note, by: null });
    },
  };
  return {
    async run(workflowId: string, { input }: { readonly input: unknown }): Promise<unknown> {
      const workflow = workflows[workflowId];
      if (!workflow) throw new Error(`Workflow with id "${workflowId}" not found.`);
      return await workflow(input as never);
    },
  };
}

function createPaymentModule(tables: FakeTables) {
  return {
    async updatePaymentCollections(
      id: string,
      change: { readonly currency_code?: string; readonly metadata: Record<string, unknown> },
    ) {
      const collection = requireCollection(tables, id);
      // Some Medusa versions clear the currency when an update does not name it.
      collection.currencyCode = change.currency_code ?? "";
      collection.metadata = structuredClone(change.metadata);
    },
  };
}

function createNotificationModule(tables: FakeTables) {
  return {
    async createNotifications(notification: {
      readonly idempotency_key: string;
      readonly data: { readonly title: string; readonly description: string };
    }) {
      const { idempotency_key: key, data } = notification;
      if (!tables.notifications.some((other) => other.key === key)) tables.notifications.push({ key, ...data });
    },
  };
}
