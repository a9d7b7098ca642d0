import { createHmac, timingSafeEqual } from "node:crypto";

/** Binds a form to the visitor it was shown to, so that no other site can submit it for the visitor. */
export type FormTokens = {
  create(visitor: string): string;
  check(visitor: string, token: string): boolean;
};

export function createFormTokens(key: string): FormTokens {
  function create(visitor: string): string {
    return createHmac("sha256", key).update(`form of ${visitor}`).digest("base64url");
  }

  function check(visitor: string, token: string): boolean {
    const expected = Buffer.from(create(visitor));
    const actual = Buffer.from(token);
    return visitor !== "" && actual.length === expected.length && timingSafeEqual(actual, expected);
  }

  return { create, check };
}
