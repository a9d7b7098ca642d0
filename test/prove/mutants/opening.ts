import { type Mutant, mutant } from "./mutant.ts";

const OPEN = "sessions/open-session";
const START = "start/start-checkout";

/** How a page to pay on is opened, once. */
export const opening: readonly Mutant[] = [
  mutant(
    "new-key-on-retry",
    "A lost answer leaves a page behind that can be paid and that nobody knows.",
    OPEN,
    "key: intent.id,",
    "key: engine.random.uuid(),",
  ),
  mutant(
    "body-written-anew",
    "A repeated request has other bytes: the service refuses it, and the page it opened before is lost.",
    OPEN,
    "request: intent.request,",
    "request: JSON.stringify({ ...(JSON.parse(intent.request) as object), description: String(now) }),",
  ),
  mutant(
    "page-before-intent",
    "A crash after the page was opened leaves it without a payment.",
    START,
    "const payment = { ...intent, nextCheckAt: nextCheck(intent, intent.createdAt) };",
    `const payment = { ...intent, nextCheckAt: nextCheck(intent, intent.createdAt) };
  const service = await engine.tenants.service(payment.credentialId);
  const { request, account } = payment;
  await service.openSession({ request, key: payment.id, account, deadlineMs: limits.shopperCallMs });`,
  ),
  mutant(
    "replaced-unwatched",
    "A page that was replaced by another is paid, and nobody looks at it any more.",
    START,
    `state: afterFact(verified.state, "replaced"),`,
    `state: afterFact(verified.state, "replaced"), nextCheckAt: null,`,
  ),
  mutant(
    "new-page-each-time",
    "Every press of the button opens another page, all of them payable.",
    START,
    "if (live.session && canBeReused(live, order, engine.clock.now())) {",
    "if (live.session && canBeReused(live, order, engine.clock.now()) && live.checks < 0) {",
  ),
];
