/** A session as the service reported it. A field is absent when the response did not contain it; no value is guessed. */
export type SessionReading = {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  /** The integer as the service sent it, in the service's unit. */
  readonly wireAmount?: number | undefined;
  readonly currency?: string | undefined;
  readonly reference?: string | undefined;
  /** The signed facts of the order that we sent as metadata when the session was opened. */
  readonly signedOrder?: string | undefined;
  readonly environment?: string | undefined;
  readonly account?: string | undefined;
  readonly transactionId?: string | undefined;
  /** The service refused the API key (`unauthorized`, `api_access_suspended`), so this reading says nothing of the session. */
  readonly keyRefused?: string | undefined;
};
