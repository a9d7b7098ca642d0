import type { AddressFault, AddressUse } from "./address-fault.ts";

const LOCAL = "must begin with https://; plain http:// is only for this machine: localhost, 127.0.0.1 or [::1]";

const PROTOCOLS: Readonly<Record<AddressUse, string>> = {
  base: LOCAL,
  page: LOCAL,
  picture: "must begin with https://",
  link: "must begin with https:// or http://",
};

const RULES: Readonly<Record<Exclude<AddressFault["kind"], "not_https">, string>> = {
  not_absolute: "must be a whole address, such as https://host.example",
  has_user: "must have no user name and no password: remove what stands before the @",
  has_query: "must have no query: remove the ? and what follows it",
  has_fragment: "must have no fragment: remove the # and what follows it",
};

/** What the person who set the address has to change: the rest of a sentence that begins with the name of the setting. */
export function addressRule(fault: AddressFault): string {
  return fault.kind === "not_https" ? PROTOCOLS[fault.use] : RULES[fault.kind];
}
