import { type Mutant, mutant } from "./mutant.ts";

const OPEN = "sessions/open-session";
const START = "start/start-checkout";

/** Mutants of the opening of a session, which must happen once. */
export const opening: readonly Mutant[] = [
  mutant(
    "new-key-on-retry",
    "A lost answer leaves a payable session at the service that no payment knows.",
    OPEN,
    "key: intent.id,",
    "key: engine.random.uuid(),",
  ),
  mutant(
    "body-written-anew",
    "A repeated request has other bytes: the service refuses it, and the session that it opened before is lost.",
    OPEN,
    "request: intent.request,",
    "request: JSON.stringify({ ...(JSON.parse(intent.request) as object), description: String(now) }),",
  ),
  mutant(
    "page-before-intent",
    "A crash after the session was opened leaves a session without a payment.",
    START,
    "const payment = { ...intent, nextCheckAt: nextCheck(intent, intent.createdAt) };",
    `const payment = { ...intent, nextCheckAt: nextCheck(intent, intent.createdAt) };
  const service = await engine.tenants.service(payment.credentialId);
  const { request, account } = payment;
  await service.openSession({ request, key: payment.id, account, deadlineMs: limits.shopperCallMs });`,
  ),
  mutant(
    "replaced-unwatched",
    "A replaced session is paid, and its payment is never checked again.",
    START,
    `state: afterFact(verified.state, "replaced"),`,
    `state: afterFact(verified.state, "replaced"), nextCheckAt: null,`,
  ),
  mutant(
    "new-page-each-time",
    "Every press of the button opens another payable session.",
    START,
    "if (live.session && canBeReused(live, order, engine.clock.now())) {",
    "if (live.session && canBeReused(live, order, engine.clock.now()) && live.checks < 0) {",
  ),
];
