/** What the service's answer about a session said. A field that is absent was not said; it is never guessed. */
export type SessionReading = {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  /** The integer as the service sent it, in its own unit. */
  readonly wireAmount?: number | undefined;
  readonly currency?: string | undefined;
  readonly reference?: string | undefined;
  readonly environment?: string | undefined;
  readonly account?: string | undefined;
  readonly transactionId?: string | undefined;
};
