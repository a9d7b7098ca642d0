import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

const privateNetworks = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by customers of a provider
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // reserved for protocols
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["224.0.0.0", 3], // multicast and reserved
] as const) {
  privateNetworks.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["64:ff9b:1::", 48], // local NAT64
  ["100::", 64], // discarded
  ["fc00::", 7], // private
  ["fe80::", 10], // link-local
  ["fec0::", 10], // site-local
  ["ff00::", 8], // multicast
] as const) {
  privateNetworks.addSubnet(network, bits, "ipv6");
}

/**
 * Whether an IPv4 or IPv6 address is loopback, link-local, private, multicast or reserved. An IPv6 address that carries an IPv4
 * address is private when that IPv4 address is.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) !== 6) return privateNetworks.check(address, "ipv4");
  const groups = ipv6Groups(address);
  const carried = carriedIpv4(groups);
  if (carried !== null) return privateNetworks.check(carried, "ipv4");
  return privateNetworks.check(groups.map((group) => group.toString(16)).join(":"), "ipv6");
}

/** Whether the host of a URL is a private address or a name of this machine. Needs no DNS. */
export function isPrivateHost(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 ? /^(.+\.)?localhost$/.test(host) : isPrivateAddress(host);
}

/**
 * Resolves a host name for one connection and refuses a private address. The connection uses the address that was checked, so another
 * answer of the DNS a moment later has no effect.
 */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0);
    const isBlocked = addresses.some(({ address }) => isPrivateAddress(address));
    if (isBlocked) return callback(new BlockedAddressError(host), "", 0);
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first?.address ?? "", first?.family ?? 0);
  });
};

export class BlockedAddressError extends Error {
  readonly code = "address_private";

  constructor(host: string) {
    super(`${host} is in a private network`);
    this.name = "BlockedAddress";
  }
}

/** The host without brackets and without the dot of a fully qualified name. `URL` has already decoded IPv4 forms such as 0x7f.1. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** The eight groups of an IPv6 address. `URL` writes every spelling, dotted ends included, in one canonical form. */
function ipv6Groups(address: string): readonly number[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const groupsOf = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? "")];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** The IPv4 address inside of an IPv6 address: IPv4-compatible, IPv4-mapped, translated, NAT64, 6to4, Teredo or ISATAP. */
function carriedIpv4(groups: readonly number[]): string | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const startsWithZeros = a === 0 && b === 0 && c === 0 && d === 0;
  const isCompatibleOrMapped = startsWithZeros && e === 0 && (f === 0 || f === 0xffff);
  const isTranslated = startsWithZeros && e === 0xffff && f === 0;
  const isNat64 = a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0;
  const isIsatap = (e === 0 || e === 0x200) && f === 0x5efe;
  const is6to4 = a === 0x2002;
  const isTeredo = a === 0x2001 && b === 0;
  if (isCompatibleOrMapped || isTranslated || isNat64) return dottedDecimal(g, h);
  if (is6to4) return dottedDecimal(b, c);
  // Teredo stores the address of the client with all bits inverted.
  if (isTeredo) return dottedDecimal(g ^ 0xffff, h ^ 0xffff);
  return isIsatap ? dottedDecimal(g, h) : null;
}

function dottedDecimal(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
