import { z } from "zod";

/** One operation, as it is sent, and how its answer is read. */
export type Operation<Data> = {
  readonly name: string;
  readonly api: "payments" | "admin";
  readonly text: string;
  readonly schema: z.ZodType<Data>;
};

/** Why Shopify refused. Several mutations give no code, only a message. */
export const userErrors = z.array(
  z.object({ field: z.array(z.string()).nullish(), message: z.string(), code: z.string().nullish() }),
);

export type UserErrors = z.output<typeof userErrors>;

/** For logs and people: codes where there are any, never a whole foreign message. */
export function firstError(errors: UserErrors): string {
  const [first] = errors;
  return first === undefined ? "no reason" : (first.code ?? first.message.slice(0, 120));
}
