/**
 * With these codes of Node no connection was ready, so no part of a request was sent: the name, the network or a proxy failed, or the
 * certificate was refused before the first byte.
 */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPROXY",
  "ERR_INVALID_URL",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

const INCOMPLETE_CHAIN =
  "its server sends the certificate without the intermediate ones, which browsers fetch and programs do not: install the full chain (fullchain.pem instead of cert.pem)";
const OWN_AUTHORITY =
  "its certificate is signed by an authority that Node does not know: start this program with NODE_EXTRA_CA_CERTS=authority.pem";

const FIXES: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: INCOMPLETE_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT: INCOMPLETE_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${INCOMPLETE_CHAIN}. If that is done, ${OWN_AUTHORITY}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed: get one of a public authority, such as Let’s Encrypt",
  SELF_SIGNED_CERT_IN_CHAIN: OWN_AUTHORITY,
  CERT_HAS_EXPIRED: "its certificate has expired: renew it, and check the clock of this machine",
  CERT_NOT_YET_VALID: "its certificate is not valid yet: check the clock of this machine",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another host name: use the name in the certificate, or renew it for this one",
  EPROXY: "the proxy refused the connection or did not answer: check HTTPS_PROXY, or name the host in NO_PROXY",
};

/** Whether a request that failed with Node's code was certainly not sent. */
export function wasNeverSent(code: string | null | undefined): boolean {
  return NEVER_SENT.has(code ?? "");
}

/** Why a server was not reached and what ends it, to follow a code in a sentence: `, because …`. Empty where Node's code says it all. */
export function connectionFix(code: string | null | undefined): string {
  const fix = FIXES[code ?? ""];
  return fix === undefined ? "" : `, because ${fix}`;
}
