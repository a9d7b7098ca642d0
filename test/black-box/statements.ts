/** One statement of the service's API, with parts of the names of the tests that prove it. Every part must name a test. */
export type Statement = { readonly says: string; readonly provenBy: readonly string[] };

const statement = (says: string, ...provenBy: readonly string[]): Statement => ({ says, provenBy });

/** The statements of the service's API that can be observed from outside, by section. Copied by hand, like the endpoints. */
export const statements: Readonly<Record<string, readonly Statement[]>> = {
  "What the service does": [
    statement(
      "the customer is sent to a hosted page and returns through success or cancel URL",
      "redirects the shopper to success_url",
      "cancel leads to cancel_url",
    ),
    statement("the API key decides the environment", "the key decides the environment of what it creates"),
    statement("plugins use the prefix /v1", "with the prefix /v1 and without it"),
    statement("a payment is validated when its session is completed", "a session is completed by a payment by card"),
  ],
  "Resources and their fields": [
    statement(
      "every failure is the error object with a request_id, also in X-Request-Id",
      "an error has error.code and error.message, and its request_id equals X-Request-Id",
    ),
    statement("details name validation failures per field", "validation_failed names each field"),
    statement("details name conflicting resources", "Conflicts name the conflicting resource"),
    statement("the amount is an integer in the currency's unit", "an amount comes back as it was sent"),
    statement("cancel_url is optional", "cancel_url, success_url, title and description are optional"),
    statement("creating a session returns a checkout URL", "gives 201 with a checkout URL"),
    statement(
      "with Service-Account, the session belongs to the member, whose branding the page shows",
      "an active Operator creates a session that belongs to the Member Account",
      "shows the member's name",
    ),
    statement(
      "a webhook has id wh_…, url, is_active, authorized_events, metadata, and its secret once",
      "created with 201, a flat record and the secret",
      "never shows its secret again",
    ),
    statement(
      "a delivery log is one attempt with outcome, time, status and body",
      "each delivery attempt writes one log",
      "a delivery log is read by its UUID",
    ),
    statement("logs can be filtered by success and failed", "Delivery logs by success and failed"),
    statement(
      "SUBSCRIPTION_UPDATED carries seven fields of the subscription",
      "the data of SUBSCRIPTION_UPDATED on pause",
    ),
    statement(
      "Network metadata is recorded on customers that an Operator creates",
      "names the Network in its metadata",
    ),
    statement(
      "an Operator's customer list has its own and those of delegated transactions",
      "an Operator's customer list contains",
    ),
  ],
  "States and transitions": [
    statement(
      "a membership becomes active from pending_review with the requested capabilities or the Operator's defaults",
      "creates a membership that waits for review",
      "grants the Operator's defaults on activation",
    ),
    statement("completed is the paid state of a session", "a session is completed by a payment"),
    statement(
      "a subscription can be active, paused, scheduled to end, cancelled and expired",
      "on pause",
      "on resume",
      "a scheduled cancellation sends",
      "_CANCELLED is the subscription itself",
      "an expired subscription sends",
    ),
  ],
  "Idempotency-Key rules": [
    statement(
      "the writes that move or request money need a key",
      "without Idempotency-Key gives 400 idempotency_key_required",
    ),
    statement("the key is optional for sessions", "the key is optional for checkout sessions"),
    statement(
      "another body under a key is 409 idempotency_key_reused",
      "with a different body gives 409 idempotency_key_reused",
    ),
    statement("a running first request is 409 idempotency_in_progress", "gives 409 idempotency_in_progress"),
    statement(
      "with Service-Account, the key belongs to the membership",
      "an Idempotency-Key belongs to the membership",
    ),
  ],
  Endpoints: [
    statement(
      "webhooks are created, changed, tested, and their deliveries retried",
      "an update changes url, is_active, authorized_events or metadata",
      "sends test.webhook at once",
      "a manual retry sends the same bytes",
    ),
    statement("PATCH rotates secrets", "rotation shows a new secret once"),
    statement("logs take limit up to 100 and offset", "25 by default and at most 100, with limit and offset"),
    statement("a delivery log answers 200, 401 or 404", "gives 200, 401 or 404"),
    statement("/charge/switch is muted: 503", "answers 503 service_unavailable to every request with a valid key"),
    statement(
      "reads are scoped to the organization unless Service-Account is sent",
      "requests without the header are its own",
      "transaction.read_own sees",
    ),
    statement(
      "GET /accounts and GET /accounts/{id} are excluded from the published document",
      "omits GET /accounts and GET /accounts/{id}",
    ),
    statement(
      "organizations, merchants and providers can be read",
      "returns only the key's organization",
      "returns the key's merchant",
      "shows which providers are connected",
    ),
    statement(
      "each endpoint with Service-Account needs its capability",
      "accepts Service-Account with payment.create",
      "accepts Service-Account with customer.read",
      "accepts Service-Account with customer.write",
      "accepts Service-Account with refund.create",
      "accepts Service-Account with transaction.read",
    ),
    statement("any other endpoint rejects Service-Account", "rejects Service-Account, whatever the key"),
  ],
  Authentication: [
    statement(
      "the key is sent in one of four headers",
      "the secret key can be sent in the header X-API-KEY",
      "x-service-api-key, in exactly this spelling",
      "as a bearer token in Authorization",
    ),
    statement("a missing key is 401 Missing API key", "without a key gives 401 unauthorized Missing API key"),
    statement("an invalid key is 401 Invalid API key", "with a wrong key gives 401 unauthorized Invalid API key"),
    statement("a key without rights is 403 forbidden", "with a publishable key gives 403 forbidden"),
    statement("suspended access is 403 api_access_suspended", "suspended API access gives 403"),
    statement("the four kinds of key have their prefixes", "the four kinds of key have their prefixes"),
    statement(
      "publishable keys are used where a flow asks for one, such as card confirmation",
      "a publishable key confirms a card",
    ),
    statement(
      "keys are generated and revoked, separately for test and live",
      "a revoked secret key gives 401",
      "keys are revoked separately for test and live",
    ),
    statement(
      "X-Scenario-Key works for mobile money with a test key only",
      "X-Scenario-Key failed gives 400",
      "X-Scenario-Key pending stays pending",
      "a checkout session ignores X-Scenario-Key",
      "a card charge ignores X-Scenario-Key",
      "with a live key ignores X-Scenario-Key",
    ),
    statement("Service-Version pins a version", "pins the schema version 1.2.0"),
    statement(
      "each Network problem has its message",
      "network_account_not_found",
      "network_account_not_active",
      "operator_not_active",
      "Network requests require a secret API key",
      "network_membership_not_found",
      "network_membership_not_active",
      "network_capability_missing",
    ),
    statement(
      "deliveries carry neither Authorization nor X-API-Key",
      "no delivery carries Authorization",
      "a webhook URL with user or password",
    ),
    statement("X-Service-Signature is the hex HMAC-SHA256 of the raw body", "signed by a hex HMAC-SHA256"),
  ],
  Events: [
    statement("only subscribed events are sent", "only subscribed events are sent"),
    statement(
      "fourteen names can be subscribed to",
      "may subscribe to test.webhook",
      "may subscribe to SUBSCRIPTION_CANCELLED",
    ),
    statement(
      "PAYMENT_… carry a transaction",
      "the data of PAYMENT_CREATED",
      "the data of PAYMENT_SUCCEEDED",
      "the data of PAYMENT_FAILED",
    ),
    statement("a failed renewal is PAYMENT_FAILED", "a failed renewal sends PAYMENT_FAILED"),
    statement("SUBSCRIPTION_… carry a subscription", "the data of SUBSCRIPTION_CREATED"),
    statement(
      "SUBSCRIPTION_UPDATED tells pause, resume, plan change and a scheduled end, with previous_attributes",
      "on pause",
      "on resume",
      "a plan change sends",
      "a scheduled cancellation sends",
    ),
    statement(
      "the context of SUBSCRIPTION_UPDATED has the source merchant_api, customer_portal or cron, and an actor",
      "names the source merchant_api",
      "names the source customer_portal",
      "names the source cron",
    ),
    statement(
      "REFUND_… carry a refund",
      "the data of REFUND_CREATED and REFUND_COMPLETED",
      "the data of REFUND_FAILED",
    ),
    statement(
      "DISPUTE_… carry a dispute and tell status and evidence",
      "the data of DISPUTE_CREATED",
      "a change of status or evidence sends DISPUTE_UPDATED",
      "sends DISPUTE_CLOSED once",
    ),
    statement("X-Service-Event names the event", "event name, signature and user agent"),
    statement(
      "a failed delivery is logged, and retries are bounded with growing waits",
      "each delivery attempt writes one log",
      "5, 10, 20 and 40 seconds apart",
    ),
    statement(
      "4xx is final, 5xx and timeouts are retried",
      "that is answered 404 is not retried",
      "that is answered 503 is retried",
      "is a timeout and is retried",
    ),
    statement(
      "order is not guaranteed and duplicates are possible",
      "duplicate sends an accepted event again",
      "reorder delivers a later event",
    ),
    statement(
      "an Operator's webhooks reflect delegated activity",
      "webhooks receive events of delegated activity, with the account",
    ),
  ],
  Errors: [
    statement(
      "an unknown resource of this organization is 404",
      "another organization's session, transaction, webhook and log give 404",
    ),
    statement("an invalid amount is amount_invalid", "gives 400 amount_invalid"),
    statement("a broken cursor is invalid_cursor", "gives 400 invalid_cursor"),
    statement("500 and 503 are the error object", "status 500 is the error object", "status 503 is the error object"),
    statement("a deletion is 204", "deleting a webhook endpoint gives 204"),
    statement("429 carries Retry-After, the rate-limit headers and details", "a 429 carries Retry-After"),
  ],
  Limits: [
    statement(
      "policy A: 120 a minute and 20,000 a day in test, 60 and 10,000 in live",
      "policy A permits a test key 120",
      "policy A permits a test key 20000",
      "policy A permits a live key 60",
      "policy A permits a live key 10000",
    ),
    statement(
      "policy B: 5,000 in 15 minutes, 120 writes a minute",
      "5,000 requests in 15 minutes pass",
      "120 writes a minute pass",
    ),
    statement("a delivery times out after about 4 seconds", "takes longer than about 4 seconds"),
  ],
  Versioning: [
    statement("routes are unversioned; /v1 works as well", "answers the same with /v1 and without it"),
    statement(
      "the contract is an OpenAPI document with operation ids",
      "is an OpenAPI 3.1 document of version 1.2.0",
      "names every operation once",
      "describes the fourteen events as webhooks",
    ),
  ],
};

/** Statements that no test can prove from outside, and why. */
export const unproven: Readonly<Record<string, string>> = {
  "All requests must use HTTPS": "the sandbox listens on the loopback interface with plain HTTP",
  "Secret keys must never be in frontend code": "this is about the code of merchants",
  "Enrollment invites are created and keys are viewed in the dashboard": "the control API and the console replace it",
  service_environment: "its meaning and values are not stated; a local sandbox sends development",
};
