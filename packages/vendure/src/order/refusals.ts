import { codeOf, type NotPayable } from "@tillkit/core";

/**
 * Vendure does not settle the order, and will not until somebody changes the order or the shop. Thrown, so that the transaction rolls
 * back and no payment stays on an unsettled order.
 */
export class VendureRefusal extends Error {
  readonly why: NotPayable;

  constructor(why: NotPayable) {
    super(`Vendure does not settle the order (${why.kind}).`);
    this.why = why;
  }
}

/**
 * Why Vendure does not settle the order. Null for every error that a later attempt may not meet, such as a deadlock. A product that
 * was deleted after the payment began is an `ENTITY_NOT_FOUND`.
 */
export function refusalOf(error: unknown): NotPayable | null {
  if (error instanceof VendureRefusal) return error.why;
  const code = codeOf(error);
  if (code === "ENTITY_NOT_FOUND") return { kind: "part_missing" };
  return code === "USER_INPUT_ERROR" ? { kind: "refused_by_platform", code } : null;
}
