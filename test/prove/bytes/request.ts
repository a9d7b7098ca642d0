import { limits } from "@tillkit/core";
import type { CaseRandom } from "./case-random.ts";
import { isGenuine } from "./reference-verifier.ts";
import { ENDPOINTS, signatureFor } from "./secrets.ts";

/** One request as sent over the network, and its expected result. */
export type Request = {
  readonly wire: Buffer;
  readonly endpointId: string;
  readonly body: Buffer;
  /** The sender disconnects after these bytes although it announced more. */
  readonly disconnects: boolean;
  /** The expected status. Null for ambiguous HTTP, which must be rejected unless the request is genuine. */
  readonly status: number | null;
  readonly isGenuine: boolean;
};

export function requestWith(random: CaseRandom, body: Buffer): Request {
  const endpointId = random.oneIn(20) ? random.pick(...UNKNOWN_ENDPOINTS) : random.pick("steady", "rotating", "long");
  const secrets = Object.hasOwn(ENDPOINTS, endpointId) ? ENDPOINTS[endpointId] : undefined;
  const signature = signatureFor(random, body, secrets ?? ["whsec_of_an_unknown_endpoint"]);
  const headers = [...signatureHeaders(random, signature), ...otherHeaders(random)];
  const signatureValues = headers
    .filter(([name]) => name.toLowerCase() === "x-service-signature")
    .map(([, value]) => value);
  const [onlySignature] = signatureValues;
  const isSignatureValid =
    secrets !== undefined &&
    signatureValues.length === 1 &&
    onlySignature !== undefined &&
    isGenuine(body, onlySignature, secrets);
  const method = random.oneIn(40) ? random.pick("GET", "PUT", "PATCH", "DELETE", "OPTIONS") : "POST";
  const otherPath = random.oneIn(50) ? random.pick(...OTHER_PATHS) : null;
  const pathEnd =
    otherPath === null && random.oneIn(10) ? random.pick("/", "?a=b", "/?", "?x=/hooks/service/long") : "";
  const path = otherPath ?? `/hooks/service/${endpointId}${pathEnd}`;
  const frame = random.oneIn(50) ? brokenFrame(random, body) : frameOf(random, body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: shop.example",
    ...headers.map((pair) => pair.join(":")),
    ...frame.headers,
  ];

  return {
    wire: Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), frame.bytes]),
    endpointId,
    body,
    disconnects: frame.disconnects,
    isGenuine: isSignatureValid && method === "POST" && otherPath === null && body.length <= limits.maxDeliveryBytes,
    status: frame.broken
      ? null
      : statusFor({ method, otherPath, signatures: signatureValues.length, body, secrets, isSignatureValid }),
  };
}

type Facts = {
  readonly method: string;
  readonly otherPath: string | null;
  readonly signatures: number;
  readonly body: Buffer;
  readonly secrets: readonly string[] | undefined;
  readonly isSignatureValid: boolean;
};

function statusFor({ method, otherPath, signatures, body, secrets, isSignatureValid }: Facts): number {
  if (otherPath !== null) return 404;
  if (method !== "POST") return 405;
  if (signatures !== 1) return 401;
  if (body.length > limits.maxDeliveryBytes) return 413;
  if (secrets === undefined) return 404;
  return isSignatureValid ? 200 : 401;
}

const UNKNOWN_ENDPOINTS = [
  "nobody",
  "Steady",
  "steady%00",
  "steady%2F",
  "__proto__",
  "constructor",
  "toString",
  "%E0%A4%A",
  "..",
  "*",
  "steady,rotating",
] as const;
const OTHER_PATHS = [
  "/",
  "/hooks/service",
  "/hooks/service/",
  "/hooks/service//",
  "/hooks/service/steady/more",
  "/hooks//service/steady",
  "/HOOKS/service/steady",
  "/hooks/service/../service/steady",
  "//hooks/service/steady",
  "/hooks/service?steady",
  "*",
] as const;

type Header = readonly [name: string, value: string];

function signatureHeaders(random: CaseRandom, signature: string | null): readonly Header[] {
  if (signature === null) return [];
  const name = random.pick("X-Service-Signature", "x-service-signature", "X-SERVICE-SIGNATURE", "X-service-Signature");
  const signatureHeader: Header = [name, `${random.pick(" ", "", "\t ")}${signature}`];
  if (random.oneIn(40))
    return [signatureHeader, ["x-service-signature", random.pick(signature, "0".repeat(64), "", "x")]];
  if (random.oneIn(60)) return [[random.pick("X_Service_Signature", "X-Service-Signature-2", "Signature"), signature]];
  return random.oneIn(60)
    ? [signatureHeader, ["X-Service-Signature-256", "0".repeat(64)], ["X-Signature", "x"]]
    : [signatureHeader];
}

function otherHeaders(random: CaseRandom): readonly Header[] {
  const headers: Header[] = [];
  if (!random.oneIn(3))
    headers.push(["X-Service-Event", random.pick("PAYMENT_SUCCEEDED", "PAYMENT_CREATED", "REFUND_COMPLETED")]);
  if (random.oneIn(20))
    headers.push(["X-Service-Event", random.pick("", "x".repeat(3_000), "\xe9\xff", "{}", "a,b", "__proto__")]);
  if (!random.oneIn(5))
    headers.push([
      "Content-Type",
      random.pick(
        "application/json",
        "application/json; charset=utf-16",
        "text/plain",
        "",
        "multipart/form-data; boundary=x",
        "\xff",
      ),
    ]);
  if (random.oneIn(20)) headers.push(["Content-Encoding", random.pick("gzip", "br", "identity", "deflate, gzip", "x")]);
  if (random.oneIn(30)) headers.push([`X-${"y".repeat(random.below(60))}`, "z".repeat(random.below(3_000))]);
  if (random.oneIn(40)) headers.push(["Connection", random.pick("keep-alive", "Keep-Alive, x-service-signature")]);
  return headers;
}

type Frame = {
  readonly headers: readonly string[];
  readonly bytes: Buffer;
  readonly broken: boolean;
  readonly disconnects: boolean;
};

function frameOf(random: CaseRandom, body: Buffer): Frame {
  const whole = { broken: false, disconnects: false };
  if (!random.oneIn(8)) {
    const expect = random.oneIn(30) ? ["Expect: 100-continue"] : [];
    return { headers: [`Content-Length: ${body.length}`, ...expect], bytes: body, ...whole };
  }
  const pieces: Buffer[] = [];
  const largest = Math.max(1, Math.ceil(body.length / (1 + random.below(12))));
  for (let at = 0; at < body.length; at += largest) {
    const piece = body.subarray(at, at + largest);
    pieces.push(
      Buffer.from(`${piece.length.toString(16)}${random.oneIn(10) ? ";a=b" : ""}\r\n`),
      piece,
      Buffer.from("\r\n"),
    );
  }
  // A trailer after the body cannot be the signature header.
  const trailer = random.oneIn(10) ? `x-service-signature: ${"0".repeat(64)}\r\n` : "";
  return {
    headers: ["Transfer-Encoding: chunked"],
    bytes: Buffer.concat([...pieces, Buffer.from(`0\r\n${trailer}\r\n`)]),
    ...whole,
  };
}

/** HTTP framing that programs interpret differently or not at all. */
function brokenFrame(random: CaseRandom, body: Buffer): Frame {
  const length = `Content-Length: ${body.length}`;
  const broken = { bytes: body, broken: true, disconnects: true };
  return random.pick<() => Frame>(
    () => ({ ...broken, headers: [length, `Content-Length: ${body.length + 1}`] }),
    () => ({ ...broken, headers: [length, "Transfer-Encoding: chunked"] }),
    () => ({ ...broken, headers: ["Transfer-Encoding: chunked, identity"] }),
    () => ({ ...broken, headers: ["Transfer-Encoding : chunked"] }),
    () => ({
      ...broken,
      headers: [`Content-Length: ${random.pick("-1", "1e3", "0x10", "+5", "99999999999999999999", "")}`],
    }),
    () => ({ ...broken, headers: [length, "X-Folded: a\r\n b"] }),
    () => ({ ...broken, headers: [length, "X-Zero: a\0b"] }),
    () => ({ ...broken, headers: [length, `X-Large: ${"l".repeat(20_000)}`] }),
    () => ({ ...broken, headers: [length, ...Array.from({ length: 2_100 }, (_, index) => `X-${index}: 1`)] }),
    () => ({ ...broken, headers: ["Transfer-Encoding: chunked"], bytes: Buffer.from("zz\r\nxx\r\n0\r\n\r\n") }),
    () => ({
      ...broken,
      headers: ["Transfer-Encoding: chunked"],
      bytes: Buffer.from(`${body.length.toString(16)}\r\n${body}`, "latin1"),
    }),
    () => ({ ...broken, headers: [`Content-Length: ${body.length + 1 + random.below(100)}`] }),
  )();
}
