/**
 * A positive safe integer in the unit of the API: whole francs for XOF, cents for USD and EUR (API.md#amounts). The service
 * rejects any other number with `amount_invalid`.
 */
export type Amount = number;

export type CurrencyCode = "XOF" | "USD" | "EUR";

/** At most 50 keys of 64 characters; strings of at most 1000 characters. */
export type Metadata = Record<string, unknown>;

/**
 * The token of a preview (API.md#confirmation-in-two-steps). The client sends it by itself when the service asks for a confirmation,
 * so leave it out.
 */
export type ConfirmationToken = string;

/** The cursor and the size of a page of a list (API.md#lists). */
export type PageQuery = {
  /** Items per page: 20 by default, at most 100. */
  readonly limit?: number;
  /** `nextCursor` of the page before. Iterate over the list instead of passing it yourself. */
  readonly cursor?: string;
};

/** One value, or a list of values of which any one matches. */
export type AnyOf<T extends string> = T | readonly T[];
