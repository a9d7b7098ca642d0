/** Pages that a storefront asked for when it started the payment, and the shopper's country where the options need it. */
export type ReturnPages = {
  readonly returnUrl?: string | undefined;
  readonly cancelUrl?: string | undefined;
  readonly country: string | null;
};

/** Keeps the pages of an attempt while the engine opens the attempt's session: the option `returnUrls` reads them. */
export type RequestedReturnPages = {
  get(attempt: string): ReturnPages | undefined;
  runWith<Value>(attempt: string, pages: ReturnPages, work: () => Promise<Value>): Promise<Value>;
};

export function createRequestedReturnPages(): RequestedReturnPages {
  const byAttempt = new Map<string, ReturnPages>();
  return {
    get: (attempt) => byAttempt.get(attempt),
    async runWith(attempt, pages, work) {
      byAttempt.set(attempt, pages);
      try {
        return await work();
      } finally {
        byAttempt.delete(attempt);
      }
    },
  };
}
