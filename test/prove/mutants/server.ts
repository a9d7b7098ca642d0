import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inServer = inPackage("server");
const inRuntime = inPackage("runtime");

/** Faults of the checkout server's webhooks, links and operator pages that unit tests notice. */
export const server: readonly Mutant[] = [
  {
    id: "webhook-two-signature-headers",
    breaks: "A delivery with two signature headers is accepted if one of them is valid.",
    edits: [
      {
        file: "packages/runtime/src/webhooks/webhook-handler.ts",
        find: "    return signatures.length === 1 ? null : refusals.signedTwice;",
        replace: "    return null;",
      },
    ],
    noticedBy: {
      file: "packages/server/test/webhook-listener.test.ts",
      title: "a delivery with two signature headers is refused, even when one of them is valid",
    },
  },
  {
    id: "webhook-answered-too-late",
    breaks: "While the ledger waits for a frozen process, the service counts webhooks as unanswered.",
    edits: [
      {
        file: "packages/runtime/src/webhooks/webhook-handler.ts",
        find: `        resolve(refusals["stored-too-slowly"]);\n`,
        replace: "",
      },
    ],
    noticedBy: {
      file: "packages/runtime/test/webhook-answer.test.ts",
      title: "is a 503 while the service still waits, so that it delivers the webhook again",
    },
  },
  inServer({
    id: "operator-form-token-unchecked",
    breaks: "Another site's form decides about a held payment in an operator's name.",
    file: "operators/operators-router.ts",
    find: `    const isOwnForm = !isForm || constantTimeEqual(fields.form ?? "", session.formToken);`,
    replace: `    const isOwnForm = !isForm || session.formToken !== "";`,
    test: "operators-decisions",
    title: "a form of another site does not decide about a held payment",
  }),
  inServer({
    id: "operator-viewer-decides",
    breaks: "A token that may only look refunds payments.",
    file: "operators/operators-router.ts",
    find: "    request.context.operator.canDecide ? await handler(request)",
    replace: '    request.context.base !== "" ? await handler(request)',
    test: "operators-roles",
    title: "a viewer sees every page, and is neither offered nor allowed a decision",
  }),
  inServer({
    id: "operator-logout-unrevoked",
    breaks: "A copied cookie stays valid for twelve hours after its owner logged out.",
    file: "operators/login/sessions.ts",
    find: `      if (isOperator) await endedSessions.add(id, expiresAt);
`,
    replace: `      if (expiresAt < 0) await endedSessions.add(id, expiresAt);
`,
    test: "operators-login",
    title: "a logged-out session is rejected for every copy of its cookie, also in another process",
  }),
  inServer({
    id: "operator-logout-by-anybody",
    breaks: "Another site logs operators out whenever it likes.",
    file: "operators/operators-router.ts",
    find: `  const isOwnForm = session !== null && constantTimeEqual(formToken, session.formToken);`,
    replace: "  const isOwnForm = session !== null;",
    test: "operators-login",
    title: "a logout form without the form token does not end the session",
  }),
  inServer({
    id: "operator-session-outlives-token",
    breaks: "An operator whose token was removed from the configuration stays logged in.",
    file: "operators/login/sessions.ts",
    find: `  return createHash("sha256").update(token).digest("base64url");`,
    replace: `  return createHash("sha256").update(typeof token).digest("base64url");`,
    test: "operators-login",
    title: "a session ends when its token is removed from the configuration",
  }),
  inServer({
    id: "operator-tokens-guessed",
    breaks: "A program can try tokens until one is right.",
    file: "http/attempt-limit.ts",
    find: "      return (attempts.get(networkOf(address)) ?? 0) < maxAttempts;",
    replace: "      return (attempts.get(networkOf(address)) ?? 0) >= 0 && maxAttempts > 0;",
    test: "operators-login",
    title: "a wrong token is refused, and ten wrong tokens lock the IP address for ten minutes",
  }),
  inRuntime({
    id: "write-bound-by-wall-clock-only",
    breaks: "A worker whose wall clock was set back while it waited writes to its store an hour late.",
    file: "stores/write-bound.ts",
    find: "const { isOver } = createSendBy(clock.now() + limits.storeCallMs, clock);",
    replace: "const at = clock.now() + limits.storeCallMs;\n  const isOver = () => createSendBy(at, clock).isOver();",
    test: "write-bound",
    title: "has passed when the wall clock was set back while the time passed",
  }),
  inRuntime({
    id: "link-for-any-purpose",
    breaks: "A status link, which logs and referrers contain, can be used to pay or to cancel.",
    file: "signed-tokens.ts",
    find: `  return createHmac("sha256", key).update(`,
    replace: `  purpose = purpose === "order" ? purpose : "pay";
  return createHmac("sha256", key).update(`,
    test: "signed-tokens",
    title: "a token is valid only for the purpose it was signed for",
  }),
  inServer({
    id: "dispute-deadline-not-alerted",
    breaks: "Nobody is warned that the deadline of a dispute ends, and the disputed amount is lost.",
    file: "alerts/active-alerts.ts",
    find: "dueBefore: now + serverLimits.disputeWarningMs",
    replace: "dueBefore: now",
    test: "alerts",
    title: "a dispute is alerted with its deadline when it opens and 48 hours before the deadline, without an amount",
  }),
  {
    id: "webhook-signature-not-compared",
    breaks: "Anybody who knows the address can send events and use up the daily calls to the service.",
    edits: [
      {
        file: "packages/client/src/webhooks.ts",
        find: "  return secretIndex === -1 ? null : { secretIndex };",
        replace: "  return { secretIndex: Math.max(secretIndex, 0) };",
      },
    ],
    noticedBy: {
      file: "packages/server/test/webhook-listener.test.ts",
      title: "a delivery whose bytes were changed after signing is refused",
    },
  },
  {
    id: "webhook-secret-of-another-endpoint",
    breaks: "One shop's webhook secret is valid for every other shop on the same server.",
    edits: [
      {
        file: "packages/core/src/service/static-tenants.ts",
        find: "    secrets: ofEndpoint.flatMap(",
        replace: "    secrets: entries.flatMap(",
      },
    ],
    noticedBy: {
      file: "packages/server/test/webhook-listener.test.ts",
      title: "a delivery signed with the secret of another endpoint of the same server is refused",
    },
  },
  {
    id: "unclaimed-jobs-not-alerted",
    breaks: "After a downgrade, jobs of the newer version wait for ever, and nobody is told.",
    edits: [
      {
        file: "packages/server/src/alerts/active-alerts.ts",
        find: '      keys: [...new Set(unclaimed.rows.map(({ kind }) => fingerprint("unclaimed", kind)))],',
        replace: "      keys: [],",
      },
    ],
    noticedBy: {
      file: "packages/server/test/alerts.test.ts",
      title:
        "a job of a kind that no running version knows is alerted after ten minutes, once for all jobs of its kind",
    },
  },
  inRuntime({
    id: "bodies-without-total",
    breaks: "Three thousand connections that stall take up all memory, and the process is killed.",
    file: "bodies/read-body.ts",
    find: "reservedBytes + bytes <= maxBytes;",
    replace: "reservedBytes + bytes <= maxBytes * 9_999;",
    test: "body-limiter",
    title: "a body that finds no room is refused at once, before it is sent, and told when to try again",
  }),
  inRuntime({
    id: "bodies-slow-sender-keeps-place",
    breaks: "Senders that stall keep every place, and the service's webhooks are refused.",
    file: "bodies/read-body.ts",
    find: "  return body.clock.now() > slowAt;",
    replace: "  return body.clock.now() > slowAt * 9;",
    test: "body-limiter",
    title:
      "a sender that is too slow loses its place to a body of the same size, and a sender that keeps its pace does not",
  }),
  inServer({
    id: "connections-newest-closed",
    breaks: "Thousands of connections that are held open keep every webhook out.",
    file: "http/limit-connections.ts",
    find: "    oldest?.destroy();",
    replace: "    if (oldest) socket.destroy();",
    test: "limit-connections",
    title: "a connection with a request under way keeps its place, and a connection that is only kept open does not",
  }),
  inPackage("sandbox")({
    id: "sandbox-controlled-by-any-page",
    breaks: "A page of another port of this machine resets a developer's sandbox.",
    file: "create-listener.ts",
    find: `if (requestOrigin(request.headers, service.addresses.baseUrl) === "other") {`,
    replace: `if (requestOrigin(request.headers, "http://x") === "other" && request.headers["sec-fetch-site"] === "cross-site") {`,
    test: "control",
    title: "the control API refuses the request of a page of another port of this machine",
  }),
  inServer({
    id: "alerts-of-future-sent",
    breaks: "After a clock was a month ahead, a shop that does not answer is alerted to nobody for a month.",
    file: "alerts/sent-alerts.ts",
    find: "return Math.abs(now - at);",
    replace: "return now - at;",
    test: "refusing-shops",
    title:
      "a shop that does not answer is alerted although an outage of it was alerted while the clock was a month ahead",
  }),
  inServer({
    id: "session-of-future-valid",
    breaks:
      "A copied cookie of an operator who logged in while the clock was a month ahead opens the pages for a month.",
    file: "operators/login/sessions.ts",
    find: "return msLeft > 0 && msLeft <= lifetimeMs + limits.clockSkewMs;",
    replace: "return msLeft > 0 || lifetimeMs < limits.clockSkewMs;",
    test: "operators-login",
    title: "a session and a link of a clock a month ahead are over after the clock was set back",
  }),
];
