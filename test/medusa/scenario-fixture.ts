import { type CheckoutSession, createServiceClient, type ServiceClient } from "@tillkit/client";
import type { EventRecord, FaultRequest } from "@tillkit/sandbox";
import { type Fixture, openFixture, type PreparedStore } from "./fixture.ts";
import type { ShownPayment } from "./owner.ts";
import { createProbe, type Probe, waitUntil } from "./probe.ts";
import type { Currency, StartedPayment } from "./shopper.ts";

/** The fixture with the steps that several scenarios share. */
export type ScenarioFixture = Fixture & {
  readonly probe: Probe;
  /** Reads the session at the service. */
  readSession(checkoutId: string): Promise<CheckoutSession>;
  /** Pays a cart while the service sends no webhook. */
  payWithoutWebhook(currency: Currency, product?: string): Promise<StartedPayment>;
  /** Pays a cart and completes it to an order. */
  placeOrder(currency: Currency, product?: string): Promise<PlacedOrder>;
  /** The body of the PAYMENT_SUCCEEDED webhook of a paid session, with changes if given. */
  webhookBodyFor(checkoutId: string, change?: WebhookChange): Promise<string>;
  /** Waits until the admin page lists this payment among those to review. */
  waitForReview(started: Pick<StartedPayment, "checkoutId">): Promise<ShownPayment>;
  /** Lets the service send an event again. @returns the status that Medusa answered */
  redeliver(eventId: string): Promise<number | null>;
  /** Runs `work` while the service has this fault. */
  withFault<Result>(fault: FaultRequest, work: () => Promise<Result>): Promise<Result>;
  /** A client of the service, independent of the plugin. */
  readonly service: ServiceClient;
};

export type PlacedOrder = StartedPayment & { readonly orderId: string; readonly paymentId: string };
type WebhookChange = {
  readonly id?: string;
  /** Fields of `data` that replace the original fields. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The length of the padding that makes the body larger. */
  readonly paddingBytes?: number;
};

export async function openScenarioFixture(store?: PreparedStore): Promise<ScenarioFixture> {
  const fixture = await openFixture(store);
  const { sandbox, shopper, owner } = fixture;
  const probe = createProbe(fixture);
  const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });

  async function payWithoutWebhook(currency: Currency, product?: string): Promise<StartedPayment> {
    const started = await shopper.startPayment(currency, product);
    await withoutWebhooks(fixture, () =>
      sandbox.control.paySession(started.checkoutId, { method: "card", outcome: "completed" }),
    );
    return started;
  }

  async function eventOf(checkoutId: string): Promise<EventRecord> {
    const events = await sandbox.control.listEvents({ sessionId: checkoutId });
    const found = events.find(({ event }) => event === "PAYMENT_SUCCEEDED");
    if (!found) throw new Error("The service has no PAYMENT_SUCCEEDED of this session.");
    return found;
  }

  return {
    ...fixture,
    probe,
    service,
    payWithoutWebhook,
    async waitForReview({ checkoutId }) {
      const isStarted = (payment: ShownPayment) => payment.checkout_session_id === checkoutId;
      const shown = await waitUntil(owner.paymentsToReview, (payments) => payments.some(isStarted));
      return shown.find(isStarted) as ShownPayment;
    },
    readSession: async (checkoutId) => (await service.checkoutSessions.read(checkoutId)).data,
    async placeOrder(currency, product) {
      const started = await payWithoutWebhook(currency, product);
      const { body, text } = await shopper.completeCart(started.cartId);
      const orderId = body.order?.id;
      if (orderId === undefined) throw new Error(`The cart became no order: ${text}`);
      const [payment] = await owner.payments(orderId);
      return { ...started, orderId, paymentId: payment?.id ?? "" };
    },
    async redeliver(eventId) {
      await sandbox.control.deliverEvent(eventId);
      const [delivery] = await waitUntil(
        () => sandbox.control.listDeliveries({ eventId }),
        (deliveries) => deliveries.every(({ state }) => state !== "waiting"),
      );
      return delivery?.attempts.at(-1)?.response_status ?? null;
    },
    async withFault(fault, work) {
      await sandbox.control.addFault(fault);
      try {
        return await work();
      } finally {
        const others = sandbox.control
          .listFaults()
          .filter(({ method, path }) => method !== fault.method || path !== fault.path);
        await sandbox.control.clearFaults();
        for (const other of others) await sandbox.control.addFault(other);
      }
    },
    async webhookBodyFor(checkoutId, { id, data, paddingBytes = 0 } = {}) {
      const event = await eventOf(checkoutId);
      const payload = {
        id: id ?? event.id,
        event: event.event,
        timestamp: event.created_at,
        data: { ...event.data, ...data },
        service_environment: "development",
      };
      return JSON.stringify(paddingBytes === 0 ? payload : { ...payload, padding: "x".repeat(paddingBytes) });
    },
  };
}

/** Runs `work` while the service sends no webhooks. */
async function withoutWebhooks<Result>(fixture: Fixture, work: () => Promise<Result>): Promise<Result> {
  await fixture.setWebhooks("off");
  try {
    return await work();
  } finally {
    await fixture.setWebhooks("on");
  }
}
