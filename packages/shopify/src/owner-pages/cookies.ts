import type { IncomingMessage } from "node:http";

/** The value of a cookie. Undefined when the request has no such cookie, or has it more than once. */
export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const found = (headers.cookie ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
}

export type CookieOptions = {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Zero deletes the cookie. */
  readonly lifeMs: number;
  readonly secure: boolean;
};

/** A `Set-Cookie` value. Scripts cannot read the cookie, and POST forms of other sites do not send it. */
export function formatCookie({ name, value, path, lifeMs, secure }: CookieOptions): string {
  const lifeSeconds = Math.floor(lifeMs / 1_000);
  return `${name}=${value}; Max-Age=${lifeSeconds}; Path=${path}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}
