import { inPackage, type PackageMutant } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inClient = inPackage("client");

/** A mutant of the client's transport. Its tests need a certificate, and are in the package `runtime`. */
const bySendByTest = (mutant: Omit<PackageMutant, "test">): Mutant => ({
  ...inClient({ ...mutant, test: "" }),
  noticedBy: { file: "packages/runtime/test/send-by.test.ts", title: mutant.title },
});

/** Faults of the client of the service's API that its tests notice. */
export const client: readonly Mutant[] = [
  inClient({
    id: "client-empty-secret-signs",
    breaks: "Anybody can sign events for a shop whose webhook secret was left empty.",
    file: "webhooks.ts",
    find: `    if (candidate === "") return false;
`,
    test: "webhooks",
    title: "a signature is rejected without a secret and with an empty secret",
  }),
  inClient({
    id: "client-first-of-two-signature-headers",
    breaks: "An event with a forged signature is accepted because a proxy appended a second signature header.",
    file: "webhooks/signed-delivery.ts",
    find: "return header?.length === 1 ? header[0] : undefined;",
    replace: "return header?.[0];",
    test: "webhooks",
    title: "a signature is rejected when it comes in two headers",
  }),
  inClient({
    id: "client-write-without-key-repeated",
    breaks: "A shopper is charged twice when the answer to a write without an Idempotency-Key is lost.",
    file: "call/prepare-request.ts",
    find: `repeatable: endpoint.method === "GET" || key !== undefined,`,
    replace: "repeatable: true,",
    test: "retries",
    title: "a write without an Idempotency-Key is never repeated after a reset",
  }),
  inClient({
    id: "client-plain-http-to-lookalike",
    breaks: "The secret key travels unencrypted to a host whose name only begins like this machine's address.",
    file: "addresses/address-fault.ts",
    find: "/^127(\\.\\d{1,3}){3}$/",
    replace: "/^127(\\.\\d{1,3}){3}/",
    test: "requests",
    title: "the base URL http://127.0.0.1.attacker.example is rejected with insecure_url",
  }),
  inClient({
    id: "client-body-written-anew",
    breaks:
      "A stored request is repeated with other bytes, so the service refuses it as a reused key and the checkout ends.",
    file: "call/prepare-request.ts",
    find: `typeof body === "string" ? body : JSON.stringify(body)`,
    replace: `JSON.stringify(typeof body === "string" ? JSON.parse(body) : body)`,
    test: "retries",
    title: "a body given as text is sent byte for byte on every attempt",
  }),
  inClient({
    id: "client-doubt-forgotten",
    breaks:
      "A refund that the service made counts as refused because its repeat was refused, and the owner's next click makes it again.",
    file: "call/perform-call.ts",
    find: "mayHaveSucceeded ||= outcome.mayHaveSucceeded;",
    replace: "mayHaveSucceeded = outcome.mayHaveSucceeded;",
    test: "may-have-succeeded",
    title: "a refund may have succeeded when the connection is reset and its repeat is refused with 404 not_found",
  }),
  inClient({
    id: "client-success-without-refund-id-is-refused",
    breaks: "A refund whose answer has no refund id counts as refused, and the next click makes it again.",
    file: "call/operation.ts",
    find: `const mayHaveSucceeded = endpoints[operation].method !== "GET";`,
    replace: "const mayHaveSucceeded = false;",
    test: "may-have-succeeded",
    title: "a refund may have succeeded after a success without refund_id",
  }),
  inClient({
    id: "client-server-error-is-a-refusal",
    breaks: "A refund that the service made but answered with 500 counts as refused.",
    file: "call/parse-response.ts",
    find: "status >= 500 || status === 408",
    replace: "status === 408",
    test: "may-have-succeeded",
    title: "a refund may have succeeded after 500 on every attempt",
  }),
  inClient({
    id: "client-gateway-page-is-a-refusal",
    breaks: "A refund counts as refused because a gateway answered 404 with a page of its own.",
    file: "call/parse-response.ts",
    find: "return isReadable && !isOutcomeUnknown;",
    replace: "return !isOutcomeUnknown;",
    test: "may-have-succeeded",
    title: "a refund may have succeeded after a page of a gateway with status 404",
  }),
  inClient({
    id: "client-doubt-before-preview-forgotten",
    breaks: "A refund that the service already made in one step counts as refused when its confirmation is refused.",
    file: "call/confirmation.ts",
    find: "const isOutcomeUnknown = response.earlierAttemptMayHaveSucceeded &&",
    replace: "const isOutcomeUnknown = !response.earlierAttemptMayHaveSucceeded &&",
    test: "may-have-succeeded",
    title:
      "a refund may have succeeded when an attempt before the preview got no response and the confirmation is refused",
  }),
  inClient({
    id: "client-confirmation-under-another-key",
    breaks: "A refund is made twice when the answer to its confirmation is lost.",
    file: "call/confirmation.ts",
    find: "const idempotencyKey = response.idempotencyKey ?? undefined;",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is source code.
    replace: "const idempotencyKey = `${response.idempotencyKey}-confirmed`;",
    test: "money-movements",
    title:
      "a refund from an object is confirmed under the same Idempotency-Key when the service asks for a confirmation",
  }),
  inClient({
    id: "client-list-cut-to-first-row",
    breaks: "The first of several listed sessions is taken for the order's session, and pays the order.",
    file: "models/json-fields.ts",
    find: "value.length === 1 ? value[0]",
    replace: "value.length >= 1 ? value[0]",
    test: "responses",
    title: "a list with two sessions is rejected and never read as its first session",
  }),
  inClient({
    id: "client-amount-guessed-from-text",
    breaks: "An amount that the service wrote as text counts as verified.",
    file: "models/json-fields.ts",
    find: `return typeof value === "number" && Number.isFinite(value) ? value : undefined;`,
    replace: "return value === undefined || value === null ? undefined : Number(value);",
    test: "responses",
    title: "a field that the response lacks is absent from the session",
  }),
  inClient({
    id: "client-email-in-errors",
    breaks: "A customer's email address is written to the shop's logs.",
    file: "errors/redact.ts",
    find: `, "[email]"],`,
    replace: `, "$&"],`,
    test: "redaction",
    title: "an error holds no personal data that the service repeated",
  }),
  inClient({
    id: "client-retry-after-ignored",
    breaks: "The service locks out a shop that calls again before the time it was asked to wait.",
    file: "call/retry-wait.ts",
    find: "  if (error.retryAfterMs === undefined || error.retryAfterMs === 0) return backoff;",
    replace: "  if (error.retryAfterMs !== null) return backoff;",
    test: "retries",
    title: "the client waits as long as Retry-After says",
  }),
  inClient({
    id: "client-redirect-to-any-url",
    breaks: "A shopper is sent to an address that is no web page, such as a script.",
    file: "models/checkout-session.ts",
    find: ` || addressFault(session.url, "link") !== null`,
    test: "responses",
    title: "the creation of a session fails with response_unusable when the URL is a script",
  }),
  bySendByTest({
    id: "client-send-by-before-connection",
    breaks:
      "A machine that slept in the TLS handshake of a refund sends it after its key was forgotten, and the money goes back twice.",
    file: "transport/node-transport.ts",
    find: "  if (isSent) send(outgoing, body);",
    replace: "  if (isSent || sendBy?.isOver() === false) send(outgoing, body);",
    title:
      "a request is not sent over TLS when a machine slept, so that its monotonic clock and its timers stood still during the handshake",
  }),
  bySendByTest({
    id: "client-send-by-kept-connection",
    breaks: "A write that waited for a kept connection while its machine slept is sent late.",
    file: "transport/node-transport.ts",
    find: "      if (isConnected) sendInTime();",
    replace: "      if (isConnected) send(outgoing, body);",
    title:
      "a request is not sent on a kept connection when a machine slept, so that its monotonic clock and its timers stood still before its turn",
  }),
  bySendByTest({
    id: "client-send-by-wall-clock-only",
    breaks: "A write is sent late because the machine's clock was set back while it waited.",
    file: "transport/send-by.ts",
    find: " || !(monotonicNow() - monotonicStartedAt < msLeft)",
    title: "a request is not sent over TLS when the wall clock was set back while the time passed during the handshake",
  }),
  bySendByTest({
    id: "client-send-by-monotonic-only",
    breaks: "A write is sent late because a suspended machine stops its monotonic clock.",
    file: "transport/send-by.ts",
    find: "!(clock.now() < at) || ",
    title:
      "a request is not sent over TLS when a machine slept, so that its monotonic clock and its timers stood still during the handshake",
  }),
  inClient({
    id: "client-send-by-suspended-and-set-back",
    breaks: "A machine was suspended for a day while its clock was set back, and a refund goes out twice.",
    file: "transport/send-by.ts",
    find: " || wasSetBack()",
    test: "send-by",
    title:
      "a machine that was suspended while its clock was set back sends nothing, because nobody knows how long it slept",
  }),
  inClient({
    id: "client-window-of-years",
    breaks: "One absurd header of the service keeps every payment of a key unread until the process is restarted.",
    file: "rate-limits/rate-limit.ts",
    find: "  if (windowSeconds > LONGEST_WINDOW_SECONDS) return null;\n",
    test: "rate-budget",
    title: "a window of years that a response reports holds back no call",
  }),
];
