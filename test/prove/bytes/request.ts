import { limits } from "@tillkit/core";
import type { Chance } from "./chance.ts";
import { isVouchedFor } from "./reference-verifier.ts";
import { ENDPOINTS, signatureFor } from "./secrets.ts";

/** One request as it goes over the wire, and what must come of it. */
export type Request = {
  readonly wire: Buffer;
  readonly endpointId: string;
  readonly body: Buffer;
  /** The sender leaves after these bytes, though it promised more. */
  readonly leaves: boolean;
  /** What has to be answered. Null: no HTTP that everybody reads alike; refused, unless it is genuine after all. */
  readonly status: number | null;
  readonly vouchedFor: boolean;
};

export function requestWith(chance: Chance, body: Buffer): Request {
  const endpointId = chance.oneIn(20) ? chance.pick(...UNKNOWN) : chance.pick("steady", "rotating", "long");
  const secrets = Object.hasOwn(ENDPOINTS, endpointId) ? ENDPOINTS[endpointId] : undefined;
  const signature = signatureFor(chance, body, secrets ?? ["whsec_of_nobody"]);
  const headers = [...signatureHeaders(chance, signature), ...otherHeaders(chance)];
  const counted = headers.filter(([name]) => name.toLowerCase() === "x-service-signature").map(([, value]) => value);
  const [only] = counted;
  const vouchedFor =
    secrets !== undefined && counted.length === 1 && only !== undefined && isVouchedFor(body, only, secrets);
  const method = chance.oneIn(40) ? chance.pick("GET", "PUT", "PATCH", "DELETE", "OPTIONS") : "POST";
  const stranger = chance.oneIn(50) ? chance.pick(...ELSEWHERE) : null;
  const path =
    stranger ??
    `/hooks/service/${endpointId}${chance.oneIn(10) ? chance.pick("/", "?a=b", "/?", "?x=/hooks/service/long") : ""}`;
  const frame = chance.oneIn(50) ? brokenFrame(chance, body) : frameOf(chance, body);
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
    leaves: frame.leaves,
    vouchedFor: vouchedFor && method === "POST" && stranger === null && body.length <= limits.deliveryBytes,
    status: frame.broken
      ? null
      : statusFor({ method, stranger, signatures: counted.length, body, secrets, vouchedFor }),
  };
}

type Facts = {
  readonly method: string;
  readonly stranger: string | null;
  readonly signatures: number;
  readonly body: Buffer;
  readonly secrets: readonly string[] | undefined;
  readonly vouchedFor: boolean;
};

function statusFor({ method, stranger, signatures, body, secrets, vouchedFor }: Facts): number {
  if (stranger !== null) return 404;
  if (method !== "POST") return 405;
  if (signatures !== 1) return 401;
  if (body.length > limits.deliveryBytes) return 413;
  if (secrets === undefined) return 404;
  return vouchedFor ? 200 : 401;
}

const UNKNOWN = [
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
const ELSEWHERE = [
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

function signatureHeaders(chance: Chance, signature: string | null): readonly Header[] {
  if (signature === null) return [];
  const name = chance.pick("X-Service-Signature", "x-service-signature", "X-SERVICE-SIGNATURE", "X-service-Signature");
  const one: Header = [name, `${chance.pick(" ", "", "\t ")}${signature}`];
  if (chance.oneIn(40)) return [one, ["x-service-signature", chance.pick(signature, "0".repeat(64), "", "x")]];
  if (chance.oneIn(60)) return [[chance.pick("X_Service_Signature", "X-Service-Signature-2", "Signature"), signature]];
  return chance.oneIn(60) ? [one, ["X-Service-Signature-256", "0".repeat(64)], ["X-Signature", "x"]] : [one];
}

function otherHeaders(chance: Chance): readonly Header[] {
  const headers: Header[] = [];
  if (!chance.oneIn(3))
    headers.push(["X-Service-Event", chance.pick("PAYMENT_SUCCEEDED", "PAYMENT_CREATED", "REFUND_COMPLETED")]);
  if (chance.oneIn(20))
    headers.push(["X-Service-Event", chance.pick("", "x".repeat(3_000), "\xe9\xff", "{}", "a,b", "__proto__")]);
  if (!chance.oneIn(5))
    headers.push([
      "Content-Type",
      chance.pick(
        "application/json",
        "application/json; charset=utf-16",
        "text/plain",
        "",
        "multipart/form-data; boundary=x",
        "\xff",
      ),
    ]);
  if (chance.oneIn(20)) headers.push(["Content-Encoding", chance.pick("gzip", "br", "identity", "deflate, gzip", "x")]);
  if (chance.oneIn(30)) headers.push([`X-${"y".repeat(chance.below(60))}`, "z".repeat(chance.below(3_000))]);
  if (chance.oneIn(40)) headers.push(["Connection", chance.pick("keep-alive", "Keep-Alive, x-service-signature")]);
  return headers;
}

type Frame = {
  readonly headers: readonly string[];
  readonly bytes: Buffer;
  readonly broken: boolean;
  readonly leaves: boolean;
};

function frameOf(chance: Chance, body: Buffer): Frame {
  const whole = { broken: false, leaves: false };
  if (!chance.oneIn(8)) {
    const expect = chance.oneIn(30) ? ["Expect: 100-continue"] : [];
    return { headers: [`Content-Length: ${body.length}`, ...expect], bytes: body, ...whole };
  }
  const pieces: Buffer[] = [];
  const largest = Math.max(1, Math.ceil(body.length / (1 + chance.below(12))));
  for (let at = 0; at < body.length; at += largest) {
    const piece = body.subarray(at, at + largest);
    pieces.push(
      Buffer.from(`${piece.length.toString(16)}${chance.oneIn(10) ? ";a=b" : ""}\r\n`),
      piece,
      Buffer.from("\r\n"),
    );
  }
  // What follows the body cannot be a signature: it comes too late to be a header.
  const trailer = chance.oneIn(10) ? `x-service-signature: ${"0".repeat(64)}\r\n` : "";
  return {
    headers: ["Transfer-Encoding: chunked"],
    bytes: Buffer.concat([...pieces, Buffer.from(`0\r\n${trailer}\r\n`)]),
    ...whole,
  };
}

/** Frames that are understood differently by different programs, or by none. */
function brokenFrame(chance: Chance, body: Buffer): Frame {
  const length = `Content-Length: ${body.length}`;
  const broken = { bytes: body, broken: true, leaves: true };
  return chance.pick<() => Frame>(
    () => ({ ...broken, headers: [length, `Content-Length: ${body.length + 1}`] }),
    () => ({ ...broken, headers: [length, "Transfer-Encoding: chunked"] }),
    () => ({ ...broken, headers: ["Transfer-Encoding: chunked, identity"] }),
    () => ({ ...broken, headers: ["Transfer-Encoding : chunked"] }),
    () => ({
      ...broken,
      headers: [`Content-Length: ${chance.pick("-1", "1e3", "0x10", "+5", "99999999999999999999", "")}`],
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
    () => ({ ...broken, headers: [`Content-Length: ${body.length + 1 + chance.below(100)}`] }),
  )();
}
