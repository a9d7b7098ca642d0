import { safeText } from "@tillkit/core";
import { z } from "zod";

/** One GraphQL operation and the schema of its data. */
export type Operation<Data> = {
  readonly name: string;
  readonly api: "payments" | "admin";
  readonly text: string;
  readonly schema: z.ZodType<Data>;
  /** The app has another way where Shopify denies this operation, so the owner has nothing to mend. */
  readonly mayBeDenied?: true;
};

/** Why Shopify refused a mutation. Several mutations give a message and no code. */
export const userErrors = z.array(
  z.object({ field: z.array(z.string()).nullish(), message: z.string(), code: z.string().nullish() }),
);

export type UserErrors = z.output<typeof userErrors>;

/** The first error for logs and messages: its code, or its message without personal data. */
export function describeUserErrors(errors: UserErrors): string {
  const [first] = errors;
  return first === undefined ? "no reason" : (first.code ?? safeText(first.message));
}
