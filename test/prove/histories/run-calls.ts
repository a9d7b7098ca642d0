import { createHash } from "node:crypto";
import type { OrderRef, Payment, PaymentLedger } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { createSeededRandom } from "@tillkit/testkit";
import type { CallPlan, ObservedCall } from "./observed-call.ts";
import type { MarkedPayment, MarkedState } from "./order-register.ts";

const LEASES_MS = [30, 80, 200];
const CLAIM_LIMIT = 3;

/** Runs one worker's random calls in sequence. Later calls use what earlier calls read and locked. */
export async function runCalls(ledger: PaymentLedger, plan: CallPlan): Promise<readonly ObservedCall[]> {
  const { worker, marksFrom, seed, calls, name, startsAt, orders } = plan;
  const random = createSeededRandom(seed);
  const upTo = (count: number) => Math.floor(random.fraction() * count);
  const observed: ObservedCall[] = [];
  const fences = new Map<string, number>();
  const lastReads = new Map<string, readonly MarkedPayment[]>();
  const claimedJobs = new Set<string>();
  let now = startsAt;
  let mark = marksFrom;

  // An operation that is listed several times is drawn more often.
  const operations = [
    lock,
    lock,
    renew,
    unlock,
    commit,
    commit,
    commit,
    read,
    read,
    claim,
    claim,
    claim,
    renewJobs,
    finish,
    retry,
    receive,
  ];
  for (let call = 0; call < calls; call += 1) {
    // The clocks of the processes differ a little.
    now += upTo(20);
    await pause(upTo(4));
    await (operations[upTo(operations.length)] ?? read)();
  }
  return observed;

  async function lock(): Promise<void> {
    const { about, ref } = someOrder();
    const leaseMs = someLease();
    const { answer: result, from, to } = await timeCall(() => ledger.lockOrder(ref, worker, now, leaseMs));
    observed.push({ kind: "order", about, from, to, op: { kind: "lock", now, leaseMs, result } });
    if (result !== null) fences.set(about, result);
  }

  async function renew(): Promise<void> {
    const { about, ref } = someOrder();
    const fence = fences.get(about);
    if (fence === undefined) return;
    const leaseMs = someLease();
    const { answer: result, from, to } = await timeCall(() => ledger.renewOrder(ref, fence, now, leaseMs));
    observed.push({ kind: "order", about, from, to, op: { kind: "renew", fence, now, leaseMs, result } });
  }

  async function unlock(): Promise<void> {
    const { about, ref } = someOrder();
    const fence = fences.get(about);
    if (fence === undefined) return;
    const { from, to } = await timeCall(() => ledger.unlockOrder(ref, fence));
    observed.push({ kind: "order", about, from, to, op: { kind: "unlock", fence } });
  }

  async function read(): Promise<void> {
    const { about, ref } = someOrder();
    const { answer, from, to } = await timeCall(() => ledger.paymentsOfOrder(ref));
    const result = answer.map(({ id, version, state, checks }) => ({
      id,
      version,
      state: state as MarkedState,
      mark: checks,
    }));
    observed.push({ kind: "order", about, from, to, op: { kind: "read", result } });
    lastReads.set(about, result);
  }

  /** Commits based on the last read, which may be outdated, with or without the lease's fence. */
  async function commit(): Promise<void> {
    const { about, ref } = someOrder();
    const id = `${about} p${upTo(2)}`;
    const version = (lastReads.get(about)?.find((payment) => payment.id === id)?.version ?? 0) + 1;
    const state = (["open", "recorded", "superseded"] as const)[upTo(3)] ?? "open";
    mark += 1;
    const next: MarkedPayment = { id, version, state, mark };
    const fence = upTo(2) === 0 ? (fences.get(about) ?? null) : null;
    const payload = JSON.stringify({ mark: `${name} ${mark}` });
    const jobs = [{ kind: "confirm", storeId: ref.storeId, paymentId: id, payload, dueAt: now } as const];
    const {
      answer: result,
      from,
      to,
    } = await timeCall(() =>
      ledger.commit({
        ...(fence === null ? {} : { fence: { ref, value: fence } }),
        payment: { next: paymentOf(ref, next), expect: version === 1 ? "new" : version - 1 },
        jobs,
        timeline: [],
      }),
    );
    observed.push({ kind: "order", about, from, to, op: { kind: "commit", fence, next, result } });
    observed.push({ kind: "expects", payload, mustExist: result === "done" });
  }

  async function claim(): Promise<void> {
    const leaseMs = someLease();
    const { answer, from, to } = await timeCall(() => ledger.claim({ worker, now, leaseMs, limit: CLAIM_LIMIT }));
    for (const { id, attempts } of answer) {
      observed.push({ kind: "job", about: id, from, to, op: { kind: "claim", worker, now, leaseMs, attempts } });
      claimedJobs.add(id);
    }
  }

  async function renewJobs(): Promise<void> {
    if (claimedJobs.size === 0) return;
    const leaseMs = someLease();
    const { answer, from, to } = await timeCall(() => ledger.renewJobs([...claimedJobs], worker, now, leaseMs));
    for (const id of claimedJobs) {
      observed.push({
        kind: "job",
        about: id,
        from,
        to,
        op: { kind: "renew", worker, now, leaseMs, result: answer.includes(id) },
      });
    }
  }

  // The job may be held by another worker meanwhile: a late worker finishes its job too.
  async function finish(): Promise<void> {
    const [id] = claimedJobs;
    if (id === undefined) return;
    claimedJobs.delete(id);
    const { from, to } = await timeCall(() => ledger.commit({ finished: [id], timeline: [] }));
    observed.push({ kind: "job", about: id, from, to, op: { kind: "finish" } });
  }

  async function retry(): Promise<void> {
    const [id] = claimedJobs;
    if (id === undefined) return;
    claimedJobs.delete(id);
    const dueAt = now + upTo(60);
    const { from, to } = await timeCall(() =>
      ledger.commit({ retried: [{ id, dueAt, error: { code: "unavailable", message: "Again." } }], timeline: [] }),
    );
    observed.push({ kind: "job", about: id, from, to, op: { kind: "retry", dueAt } });
  }

  /** All workers receive the same few bodies. */
  async function receive(): Promise<void> {
    const bytes = new TextEncoder().encode(`${name} body ${upTo(3)}`);
    const digest = createHash("sha256").update(bytes).digest("hex");
    await ledger.receive([{ endpointId: "main", digest, bytes, receivedAt: now }]);
    observed.push({ kind: "expects", payload: JSON.stringify({ endpointId: "main", digest }), mustExist: true });
  }

  function someOrder(): { about: string; ref: OrderRef } {
    const about = `${name} order ${upTo(orders)}`;
    return { about, ref: { storeId: name, orderId: about } };
  }

  function someLease(): number {
    return LEASES_MS[upTo(LEASES_MS.length)] ?? 30;
  }
}

async function timeCall<Answer>(call: () => Promise<Answer>): Promise<{ answer: Answer; from: number; to: number }> {
  const from = microseconds();
  const answer = await call();
  return { answer, from, to: microseconds() };
}

// The monotonic clock of the machine, which all processes share.
function microseconds(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}

function pause(turns: number): Promise<void> {
  return new Promise((resolve) => (turns === 0 ? setImmediate(resolve) : setTimeout(resolve, turns - 1)));
}

function paymentOf(ref: OrderRef, { id, version, state, mark }: MarkedPayment): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref,
    orderNumber: ref.orderId,
    version,
    state,
    checks: mark,
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "key",
    createdAt: 0,
    amountDue: { minor: 5_000, currency: "XOF" },
    wireAmount: 5_000,
    request: "{}",
    reference: id,
    session: null,
  };
}
