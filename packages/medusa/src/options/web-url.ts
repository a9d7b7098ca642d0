import { isLoopbackUrl } from "@tillkit/client";

/** Accepts `https://`, and plain `http://` on this machine, without a user name or password. */
export function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopbackUrl(text));
}

export function originOf(url: string): string {
  return new URL(url).origin;
}
