import type { IncomingMessage } from "node:http";

/** One cookie of a request; undefined when it was not sent, or not once. */
export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const found = (headers.cookie ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
}

export type CookieWish = {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Zero takes it away. Milliseconds. */
  readonly lifeMs: number;
  readonly secure: boolean;
};

/** For the server only, and never sent along by another site's forms. */
export function cookie({ name, value, path, lifeMs, secure }: CookieWish): string {
  const life = Math.floor(lifeMs / 1_000);
  return `${name}=${value}; Max-Age=${life}; Path=${path}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}
