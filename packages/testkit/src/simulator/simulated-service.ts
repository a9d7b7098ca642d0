import { signWebhook } from "@tillkit/client/webhooks";
import {
  CheckoutError,
  type Clock,
  type Random,
  type RefundReading,
  type Service,
  type SessionReading,
} from "@tillkit/core";

/** What the service knows of one session. Amounts in the wire's unit, times in milliseconds since 1970. */
export type SimulatedSession = {
  readonly id: string;
  readonly key: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  status: "open" | "completed" | "expired";
  /** Somebody changed what was paid: the service says so in every reading. */
  paidAmount: number | null;
};

export type SimulatedRefund = RefundReading & { readonly transactionId: string };

/** How likely a call goes wrong, 0 to 1, and how long it takes at most. */
export type ServiceWeather = {
  readonly down: number;
  readonly lost: number;
  readonly narrow: number;
  readonly latencyMs: number;
};

export type SimulatedWebhook = { readonly bytes: Uint8Array; readonly signature: string };

/** The service as a simulation sees it: sessions by Idempotency-Key, slow and unreliable calls, signed events. */
export type SimulatedService = {
  readonly port: Service;
  readonly sessions: ReadonlyMap<string, SimulatedSession>;
  /** By Idempotency-Key. */
  readonly refunds: ReadonlyMap<string, SimulatedRefund>;
  weather: ServiceWeather;
  /** Calls that were taken, for the budget. */
  readonly calls: { opens: number; reads: number };
  /** The shopper pays, late or not; answers the event to deliver. */
  complete(session: SimulatedSession, paidAmount?: number): SimulatedWebhook;
  event(name: string, session: SimulatedSession): SimulatedWebhook;
};

export const FAIR_WEATHER: ServiceWeather = { down: 0, lost: 0, narrow: 0, latencyMs: 50 };

const SESSION_MS = 60 * 60_000;

export function createSimulatedService(clock: Clock, random: Random, secret: string): SimulatedService {
  const sessions = new Map<string, SimulatedSession>();
  const byKey = new Map<string, { readonly request: string; readonly session: SimulatedSession }>();
  const refunds = new Map<string, SimulatedRefund>();
  const calls = { opens: 0, reads: 0 };

  function open(request: string, key: string): SimulatedSession {
    const known = byKey.get(key);
    if (known && known.request !== request) throw new CheckoutError("session_refused", "idempotency_key_reused");
    if (known) return known.session;
    const body = JSON.parse(request) as { amount: number; currency_code: string; metadata: Record<string, string> };
    const session: SimulatedSession = {
      id: random.uuid(),
      key,
      amount: body.amount,
      currency: body.currency_code,
      reference: body.metadata.tillkit_reference ?? "",
      createdAt: clock.now(),
      expiresAt: clock.now() + SESSION_MS,
      status: "open",
      paidAmount: null,
    };
    sessions.set(session.id, session);
    byKey.set(key, { request, session });
    return session;
  }

  function giveBack(request: string, key: string): SimulatedRefund {
    const known = refunds.get(key);
    if (known) return known;
    const body = JSON.parse(request) as { amount: number; transaction_id: string };
    const paid = [...sessions.values()].find(({ id }) => body.transaction_id.endsWith(id));
    const before = [...refunds.values()].filter(({ transactionId }) => transactionId === body.transaction_id);
    const left = before.reduce((rest, { wireAmount }) => rest - wireAmount, paid?.paidAmount ?? paid?.amount ?? 0);
    if (body.amount > left) throw new CheckoutError("refund_refused", "amount_invalid");
    const refund = {
      id: random.uuid(),
      status: "completed",
      wireAmount: body.amount,
      transactionId: body.transaction_id,
    } as const;
    refunds.set(key, refund);
    return refund;
  }

  async function call<Answer>(work: () => Answer): Promise<Answer> {
    const { down, lost, latencyMs } = service.weather;
    const fate = random.fraction();
    await clock.sleep(Math.ceil(random.fraction() * latencyMs));
    if (fate < down) throw unavailable();
    const answer = work();
    await clock.sleep(Math.ceil(random.fraction() * latencyMs));
    if (fate < down + lost) throw unavailable();
    return answer;
  }

  function read(id: string): SessionReading {
    const session = sessions.get(id);
    if (!session) return {};
    if (session.status === "open" && clock.now() >= session.expiresAt) session.status = "expired";
    const { status, currency, reference } = session;
    const narrow = random.fraction() < service.weather.narrow;
    return {
      id,
      status,
      wireAmount: session.paidAmount ?? session.amount,
      reference,
      environment: "test",
      ...(narrow ? {} : { currency }),
      ...(status === "completed" ? { transactionId: `transaction of ${id}` } : {}),
    };
  }

  function event(name: string, session: SimulatedSession): SimulatedWebhook {
    const data = { checkout_session_id: session.id, transaction_id: `transaction of ${session.id}` };
    const bytes = new TextEncoder().encode(JSON.stringify({ id: random.uuid(), event: name, data }));
    return { bytes, signature: signWebhook(bytes, secret) };
  }

  const service: SimulatedService = {
    sessions,
    refunds,
    weather: FAIR_WEATHER,
    calls,
    event,
    complete(session, paidAmount) {
      session.status = "completed";
      session.paidAmount = paidAmount ?? null;
      return event("PAYMENT_SUCCEEDED", session);
    },
    port: {
      openSession: ({ request, key }) =>
        call(() => {
          calls.opens += 1;
          const { id, expiresAt } = open(request, key);
          return { id, url: `https://pay.service.example/${id}`, expiresAt };
        }),
      readSession: ({ session }) =>
        call(() => {
          calls.reads += 1;
          return read(session?.id ?? "");
        }),
      findTransaction: ({ session }) =>
        call(() => (sessions.get(session?.id ?? "")?.status === "completed" ? `transaction of ${session?.id}` : null)),
      refund: ({ request, key }) => call(() => giveBack(request, key)),
      readRefunds: (_payment, transactionId) =>
        call(() => [...refunds.values()].filter((refund) => refund.transactionId === transactionId)),
    },
  };
  return service;
}

function unavailable(): CheckoutError {
  return new CheckoutError("service_unavailable", "The service did not answer.", { retryable: true });
}
