import { type CheckoutSession, createServiceClient, type ServiceClient } from "@tillkit/client";
import type { EventRecord, FaultRequest } from "@tillkit/sandbox";
import type { ShownPayment } from "./owner.ts";
import { createProbe, type Probe, until } from "./probe.ts";
import type { Currency, Paying } from "./shop.ts";
import { openWorld, type World } from "./world.ts";

/** The world, and what happens in it again and again. */
export type Stage = World & {
  readonly probe: Probe;
  /** As the service answers it. */
  session(checkoutId: string): Promise<CheckoutSession>;
  /** Money arrived at the service, and it tells nobody. */
  paidInSilence(currency: Currency, product?: string): Promise<Paying>;
  /** A cart that became an order. */
  bought(currency: Currency, product?: string): Promise<Bought>;
  /** PAYMENT_SUCCEEDED of a paid session as the service would send it, changed as wished. */
  letterOf(checkoutId: string, change?: LetterChange): Promise<string>;
  /** Waits until the owner is shown this payment among those that need attention. */
  attention(paying: Paying): Promise<ShownPayment>;
  /** Sends an event of the service to the shop once more. @returns what the shop answered */
  delivered(eventId: string): Promise<number | null>;
  /** The service has this fault as long as the work lasts. */
  during<Result>(fault: FaultRequest, work: () => Promise<Result>): Promise<Result>;
  /** The service itself, past the plugin. */
  readonly service: ServiceClient;
};
export type Bought = Paying & { readonly orderId: string; readonly paymentId: string };
type LetterChange = {
  readonly id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly bytes?: number;
};

export async function openStage(): Promise<Stage> {
  const world = await openWorld();
  const { sandbox, shopper, owner } = world;
  const probe = createProbe(world);
  const service = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });

  async function paidInSilence(currency: Currency, product?: string): Promise<Paying> {
    const paying = await shopper.goToPay(currency, product);
    await silently(world, () =>
      sandbox.control.paySession(paying.checkoutId, { method: "card", outcome: "completed" }),
    );
    return paying;
  }

  async function eventOf(checkoutId: string): Promise<EventRecord> {
    const events = await sandbox.control.listEvents({ sessionId: checkoutId });
    const found = events.find(({ event }) => event === "PAYMENT_SUCCEEDED");
    if (!found) throw new Error("The service has no PAYMENT_SUCCEEDED of this session.");
    return found;
  }

  return {
    ...world,
    probe,
    service,
    paidInSilence,
    async attention({ checkoutId }) {
      const isIt = (payment: ShownPayment) => payment.checkout_session_id === checkoutId;
      const shown = await until(owner.attention, (payments) => payments.some(isIt), 20_000);
      return shown.filter(isIt)[0] as ShownPayment;
    },
    session: async (checkoutId) => (await service.checkoutSessions.read(checkoutId)).data,
    async bought(currency, product) {
      const paying = await paidInSilence(currency, product);
      const { body, text } = await shopper.complete(paying.cartId);
      const orderId = body.order?.id;
      if (orderId === undefined) throw new Error(`The cart became no order: ${text}`);
      const [payment] = await owner.payments(orderId);
      return { ...paying, orderId, paymentId: payment?.id ?? "" };
    },
    async delivered(eventId) {
      await sandbox.control.deliverEvent(eventId);
      const [delivery] = await until(
        () => sandbox.control.listDeliveries({ eventId }),
        (deliveries) => deliveries.every(({ state }) => state !== "waiting"),
        10_000,
      );
      return delivery?.attempts.at(-1)?.response_status ?? null;
    },
    async during(fault, work) {
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
    async letterOf(checkoutId, { id, data, bytes = 0 } = {}) {
      const event = await eventOf(checkoutId);
      const letter = {
        id: id ?? event.id,
        event: event.event,
        timestamp: event.created_at,
        data: { ...event.data, ...data },
        service_environment: "development",
      };
      return JSON.stringify(bytes === 0 ? letter : { ...letter, padding: "x".repeat(bytes) });
    },
  };
}

/** What happens meanwhile is never told to the shop. */
async function silently<Result>(world: World, happens: () => Promise<Result>): Promise<Result> {
  await world.webhooks("off");
  try {
    return await happens();
  } finally {
    await world.webhooks("on");
  }
}
