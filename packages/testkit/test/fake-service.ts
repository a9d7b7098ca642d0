import { CheckoutError, type Clock, type Payment, type SessionReading } from "@tillkit/core";
import type { Service, Tenants } from "@tillkit/core/hosts";

type Session = { readonly id: string; readonly url: string; readonly expiresAt: number };

/** The service without HTTP. A test can pay sessions and change the service's readings. */
export type FakeService = {
  readonly tenants: Tenants;
  pay(payment: Payment): void;
  /** Replaces these fields in all later readings of this payment's session. */
  falsify(payment: Payment, change: SessionReading): void;
  setDown(down: boolean): void;
  /** The ids of the payments whose sessions were opened. */
  readonly opened: readonly string[];
};

const SESSION_LIFE_MS = 3_600_000;

export function createFakeService(clock: Clock): FakeService {
  const sessions = new Map<string, { readonly session: Session; readonly body: Body }>();
  const changes = new Map<string, SessionReading>();
  let down = false;

  const service: Service = {
    openSession: async ({ request, key }) => {
      assertUp(down);
      const known = sessions.get(key);
      if (known) return known.session;
      const id = `cs_${sessions.size + 1}`;
      const session = { id, url: `https://service.example/${id}`, expiresAt: clock.now() + SESSION_LIFE_MS };
      sessions.set(key, { session, body: JSON.parse(request) as Body });
      return session;
    },
    readSession: async ({ id }) => {
      assertUp(down);
      const known = sessions.get(id);
      if (!known) return {};
      const { amount, currency_code: currency, metadata } = known.body;
      const reference = metadata.tillkit_reference;
      const open = { id: known.session.id, status: "open", wireAmount: amount, currency, reference };
      return { ...open, environment: "test", ...changes.get(id) };
    },
    // These tests make no refunds.
    refund: () => Promise.reject(new CheckoutError("refund_refused", "This service refunds nothing.")),
    readTransaction: async () => null,
    async *listDeliveredEvents() {},
    async *listTransactions() {},
    readRefunds: async () => ({ refunds: [], unassigned: [], elsewhere: [], isComplete: true }),
  };

  return {
    tenants: {
      credentialFor: async () => ({ id: "key", account: null }),
      service: async () => service,
      endpoint: async () => null,
    },
    pay: ({ id }) => {
      changes.set(id, { ...changes.get(id), status: "completed" });
    },
    falsify: ({ id }, change) => {
      changes.set(id, { ...changes.get(id), ...change });
    },
    setDown: (value) => {
      down = value;
    },
    get opened() {
      return [...sessions.keys()];
    },
  };
}

type Body = { amount: number; currency_code: string; metadata: { tillkit_reference: string } };

function assertUp(down: boolean): void {
  if (down) throw new CheckoutError("service_unavailable", "The service is down.", { retryable: true });
}
