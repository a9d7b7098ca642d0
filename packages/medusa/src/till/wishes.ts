/** Where a storefront wants its shopper back, kept for as long as the session of that try is being opened. */
export type ReturnWish = { readonly returnUrl?: string | undefined; readonly cancelUrl?: string | undefined };

export type Wishes = {
  of(attempt: string): ReturnWish | undefined;
  during<Value>(attempt: string, wish: ReturnWish, work: () => Promise<Value>): Promise<Value>;
};

export function createWishes(): Wishes {
  const wishes = new Map<string, ReturnWish>();
  return {
    of: (attempt) => wishes.get(attempt),
    async during(attempt, wish, work) {
      wishes.set(attempt, wish);
      try {
        return await work();
      } finally {
        wishes.delete(attempt);
      }
    },
  };
}
