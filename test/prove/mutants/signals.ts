import { coreFile, type Mutant, mutant, onlyBy } from "./mutant.ts";

const RECEIVE = "deliveries/receive-webhook";
const APPLY_PAYMENT = "deliveries/apply-payment-event";
const APPLY_REFUND = "deliveries/apply-refund-event";
const RUN = "jobs/run-due";

/** Mutants of the signals: webhooks, returns and the timer. */
export const signals: readonly Mutant[] = [
  mutant(
    "ack-before-write",
    "A webhook is answered with 200 before it is stored, so a crash loses it.",
    RECEIVE,
    "await storeDelivery(engine, incoming);",
    "void storeDelivery(engine, incoming).catch(() => undefined);",
  ),
  mutant(
    "signature-unchecked",
    "Anybody can send us webhooks.",
    RECEIVE,
    "if (!verifyWebhook({ bytes, signature, secrets: endpoint.secrets })) {",
    "if (signature === undefined) {",
  ),
  mutant(
    "one-secret-only",
    "While a secret is rotated, genuine webhooks are refused and lost.",
    RECEIVE,
    "secrets: endpoint.secrets })",
    "secrets: endpoint.secrets.slice(0, 1) })",
  ),
  mutant(
    "payload-trusted",
    "A webhook's content is trusted, and the session is not read from the service.",
    APPLY_PAYMENT,
    `const confirmed = await confirmPayment(engine, payment.id, { actor: "webhook", payment, transactionId });`,
    `const believed = {
    id: payment.session?.id,
    status: "completed",
    wireAmount: payment.wireAmount,
    currency: payment.amountDue.currency,
    reference: payment.reference,
  };
  const trusting = task.why !== "signal" ? { ...engine, sessionCache: { read: async () => believed } } : engine;
  const confirmed = await confirmPayment(trusting, payment.id, { actor: "webhook", payment, transactionId });`,
  ),
  mutant(
    "refund-event-trusted",
    "A refund event's content is trusted, and a paid order is no longer paid.",
    APPLY_REFUND,
    "const refunds = await syncRefunds(engine, payment.id);",
    `const refunds = await engine.ledger.refunds(payment.id);
      const next = { ...payment, state: "refunded" as const, version: payment.version + 1 };
      await engine.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });`,
  ),
  {
    id: "processed-again",
    breaks: "Every repeated webhook of a finished payment costs calls to the service.",
    edits: [
      {
        file: coreFile(APPLY_PAYMENT),
        find: "if (isConfirmed(payment)) await",
        replace: `if (payment.id === "") await`,
      },
      {
        file: coreFile("confirm/confirm-payment"),
        find: `return state === "recorded" || state === "duplicate" || state === "refunding" || state === "refunded";`,
        replace: "return state === undefined;",
      },
      {
        file: coreFile("verify/verify-payment"),
        find: `const isEnded = payment.state === "recorded" || payment.state === "refunded" || payment.state === "refunding";`,
        replace: "const isEnded = false;",
      },
    ],
  },
  mutant(
    "job-finished-first",
    "A job counts as finished before it starts, so a crash loses it.",
    RUN,
    "const result = await tryJob(engine, job);",
    `await engine.ledger.commit({ finished: [job.id], timeline: [] });
  const result = await tryJob(engine, job);`,
  ),
  mutant(
    "one-try-only",
    "A job that failed once is never retried.",
    RUN,
    "retryAt: isDead ? null : engine.clock.now(),",
    "retryAt: null,",
  ),
  mutant(
    "busy-is-done",
    "A signal is lost because another process holds the order's lease.",
    "jobs/job-result",
    "const unfinished = results.filter(({ retryAt, error }) => retryAt !== null || error !== null);\n  if (unfinished.length === 0)",
    "const unfinished = results.filter(({ retryAt, error }) => retryAt !== null || error !== null);\n  if (unfinished.length >= 0)",
  ),
  mutant(
    "no-timer",
    "When the webhook and the return are lost, the payment is never verified.",
    "payments/payment-jobs",
    "if (payment.nextCheckAt === null) return [];",
    "if (payment.nextCheckAt !== 0) return [];",
  ),
  mutant(
    "one-check-only",
    "The timer verifies a payment once and never again.",
    RUN,
    "const nextCheckAt = nextCheck(checked, now) ?? nextUnreadableCheck(checked, now);",
    "const nextCheckAt = null;",
  ),
  mutant(
    "check-every-minute",
    "An abandoned payment is read every minute for three days.",
    RUN,
    "const nextCheckAt = nextCheck(checked, now) ?? nextUnreadableCheck(checked, now);",
    "const nextCheckAt = now + 60_000;",
  ),
  mutant(
    "closed-at-expiry",
    "A payment is given up when its session expires, although a wallet may still confirm it.",
    "verify/apply-verdict",
    `return { state: after(isGraceOver(payment, now) ? "graceOver" : "sessionExpired"), finding: null };`,
    `return { state: after("graceOver"), finding: null, nextCheckAt: null };`,
  ),
  mutant(
    "cancel-on-return",
    "A shopper who pressed Cancel pays after all, and the payment is never verified.",
    "shopper/record-cancel",
    `if (timeline.at(-1)?.kind !== "cancelled") await recordEntry(engine, paymentId, "shopper", { kind: "cancelled" });`,
    `const payment = await getPayment(engine, paymentId);
  const next = { ...payment, state: "closed" as const, nextCheckAt: null, version: payment.version + 1 };
  const entry = { paymentId, at: engine.clock.now(), actor: "shopper", kind: "cancelled" } as const;
  if (timeline.at(-1)?.kind === "cancelled") return await recordEntry(engine, paymentId, "shopper", entry);
  await engine.ledger.commit({ payment: { next, expect: payment.version }, timeline: [entry] });`,
  ),
  mutant(
    "old-reading",
    "A session that was read once is never read again.",
    "resilience/reading-cache",
    "return age >= 0 && age < maxAgeMs ? cached?.reading : undefined;",
    "return cached?.reading;",
  ),
  onlyBy(
    "packages/server/test/many-returns.test.ts",
    "sixty reloads of the return page in a minute cause at most eight reads of the service",
    mutant(
      "reload-reads-without-end",
      "A shopper who reloads a page uses up the daily calls, so late payments are no longer found.",
      "shopper/watch-payment",
      "if (isFirst || isDue) {",
      "if (isFirst || paymentId) {",
    ),
  ),
  onlyBy(
    "packages/core/test/resilience/circuit-breakers.test.ts",
    "an outage of the service ends no job, however often the jobs were tried",
    mutant(
      "outage-ends-jobs",
      "After an outage of days a paid order is not marked paid until an operator retries its dead job.",
      RUN,
      "|| (probeAt === null && job.attempts >= limits.maxJobAttempts)",
      "|| job.attempts >= limits.maxJobAttempts",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/sync-refunds.test.ts",
    "a refund that the service reports and lists only hours later is recorded, and one that it never lists waits for a person",
    mutant(
      "late-listed-refund-forgotten",
      "The service reports a refund and lists it four hours later: its order never shows it, and the money is refunded again.",
      "jobs/store-jobs",
      "if (rareReads <= 0) return readAgain(engine, message);",
      'if (rareReads > 0) return "done";\n  if (rareReads <= 0) return readAgain(engine, message);',
    ),
  ),
];
