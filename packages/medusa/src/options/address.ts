import { isLoopbackUrl } from "@tillkit/client";

/** `https://`, or plain `http://` of this machine; nobody's name or password in it. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopbackUrl(text));
}

export function originOf(address: string): string {
  return new URL(address).origin;
}
