/** A webhook endpoint as the service reports it. A field is undefined when the response did not contain it. */
export type EndpointReading = {
  /** False: the service sends nothing to this endpoint. */
  readonly isActive?: boolean | undefined;
  /** The names of the events that the service sends to this endpoint. */
  readonly events?: readonly string[] | undefined;
  /** The newest attempts to deliver an event, newest first. */
  readonly attempts: readonly DeliveryAttempt[];
};

/**
 * What came of a test event that the service sent to an endpoint. `attempt`: the attempt as the service's log shows it; null where the log
 * does not show it.
 */
export type EndpointTest = { readonly isDelivered: boolean; readonly attempt: DeliveryAttempt | null };

export type DeliveryAttempt = {
  readonly event?: string | undefined;
  /** 1 for the first attempt of an event. */
  readonly attemptNumber?: number | undefined;
  readonly isDelivered?: boolean | undefined;
  /** The HTTP status of our response; undefined when the service got none. */
  readonly httpStatus?: number | undefined;
  /** Why the service got no response: `timeout`, `network_error`, `blocked_webhook_url`. */
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  /** In milliseconds since 1970. */
  readonly at?: number | undefined;
};
