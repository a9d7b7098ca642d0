import { type ClientRequest, request as openHttp } from "node:http";
import { type Agent as HttpsAgent, request as openHttps } from "node:https";
import type { Duplex } from "node:stream";
import { parseUrl } from "../addresses/parse-url.ts";
import { ServiceError } from "../errors/service-error.ts";
import { TUNNEL_TIMEOUT_MS } from "../system/limits.ts";

/** The HTTP proxy through which requests to `https:` addresses go. */
export type Proxy = {
  readonly url: URL;
  /** False for hosts that `NO_PROXY` names and for this machine. */
  isUsedFor(host: string, port: number): boolean;
};

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * @param setting `http://user:password@proxy.example:3128`; `off` connects directly. Unless set, `TILLKIT_PROXY`, then `HTTPS_PROXY`
 * @returns null for direct connections
 * @throws ServiceError `url_invalid` for an address that is not one of an HTTP proxy
 */
export function findProxy(setting?: string, environment: ProxyEnvironment = process.env): Proxy | null {
  const { TILLKIT_PROXY, HTTPS_PROXY, https_proxy, NO_PROXY, no_proxy } = environment;
  const text = setting || TILLKIT_PROXY || https_proxy || HTTPS_PROXY || "off";
  if (text === "off") return null;
  // curl and many tools accept an address without its scheme.
  const url = parseUrl(text.includes("://") ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ServiceError("url_invalid", "The proxy must be an address such as http://proxy.example:3128.");
  }
  const direct = (no_proxy || NO_PROXY || "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "");
  return { url, isUsedFor: (host, port) => !LOOPBACK.test(host) && !direct.some((entry) => names(entry, host, port)) };
}

/** Whether an entry of NO_PROXY names a host: `*`, `example.com` and its subdomains, `.example.com`, or one port of them. */
function names(entry: string, host: string, port: number): boolean {
  if (entry === "*") return true;
  const [, name = entry, onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, "")) ?? [];
  if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
  const lowerCaseHost = host.toLowerCase();
  return lowerCaseHost === name || lowerCaseHost.endsWith(`.${name}`);
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|::1|\[::1\])$/i;

/** Lets an agent connect through the proxy. The TLS handshake is with the server itself, so the proxy reads nothing. */
export function connectThrough(proxy: Proxy, agent: HttpsAgent): HttpsAgent {
  const connect = agent.createConnection;
  agent.createConnection = (options, done) => {
    const { host, port } = options as { readonly host: string; readonly port: number };
    if (!proxy.isUsedFor(host, Number(port))) return connect.call(agent, options, done);
    openTunnel(proxy.url, host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`, (error, tunnel) => {
      if (tunnel === null) done?.(error, null as never);
      else done?.(null, connect.call(agent, { ...options, socket: tunnel } as never) as Duplex);
    });
    return undefined;
  };
  return agent;
}

function openTunnel(proxy: URL, target: string, done: (error: Error | null, tunnel: Duplex | null) => void): void {
  const { hostname, port, username, password } = proxy;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const asking: ClientRequest = (proxy.protocol === "https:" ? openHttps : openHttp)({
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    method: "CONNECT",
    path: target,
    headers: { host: target, ...(username === "" ? {} : { "proxy-authorization": `Basic ${credentials}` }) },
    agent: false,
    timeout: TUNNEL_TIMEOUT_MS,
  });
  asking.on("timeout", () => asking.destroy(proxyError("did not answer")));
  asking.on("error", (error) => done(error, null));
  asking.on("connect", ({ statusCode }, tunnel) => {
    asking.setTimeout(0);
    if (statusCode === 200) return done(null, tunnel);
    tunnel.destroy();
    done(proxyError(`refused the connection (${statusCode})`), null);
  });
  asking.end();
}

/** Nothing was sent to the server. */
function proxyError(what: string): Error {
  return Object.assign(new Error(`The proxy ${what}.`), { code: "EPROXY" });
}
