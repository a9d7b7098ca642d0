import { BlockList, isIP } from "node:net";

/** An IP address, or a network in CIDR notation. */
export function isProxyAddress(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Returns the check whether a remote address is one of these proxies. */
export function createProxyCheck(proxies: readonly string[]): (remoteAddress: string | undefined) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return function isTrusted(remoteAddress = "") {
    // A socket that listens for both families shows the IPv4 address 10.0.0.1 as ::ffff:10.0.0.1.
    const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/, "");
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}
