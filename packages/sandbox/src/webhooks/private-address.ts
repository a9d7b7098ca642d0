import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

const privateNetworks = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  privateNetworks.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["::ffff:0:0", 96],
] as const) {
  privateNetworks.addSubnet(network, bits, "ipv6");
}

/** Whether an address is loopback, link-local or private. The service never delivers to these in production. */
export function isPrivateAddress(address: string): boolean {
  return privateNetworks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Whether the host of a URL resolves to a private address. An unresolvable name does not. */
export async function resolvesToPrivateAddress(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address));
}

export class BlockedAddressError extends Error {
  constructor(host: string) {
    super(`${host} is in a private network`);
    this.name = "BlockedAddress";
  }
}
