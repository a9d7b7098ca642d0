import { createHmac } from "node:crypto";
import type { CaseRandom } from "./case-random.ts";

/** The valid secrets by endpoint, as before, during and after a rotation. */
export const ENDPOINTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  steady: ["whsec_4c1f9a7720d84be6a9b1c35e6f708192"],
  rotating: ["whsec_b7a4d0e5f61923847cd1e8f9a0b2c3d4", "whsec_00ff11ee22dd33cc44bb55aa66998877"],
  long: [`whsec_${"0123456789abcdef".repeat(12)}`, "whsec_k", "whsec_clé-à-molette-🔧"],
};

/** Secrets that are no longer valid or belong to somebody else. */
const OTHER_SECRETS: readonly [string, ...string[]] = [
  "whsec_an_old_one_that_was_taken_away",
  "",
  "whsec_",
  "4c1f9a7720d84be6a9b1c35e6f708192",
  "WHSEC_4C1F9A7720D84BE6A9B1C35E6F708192",
  "whsec_4c1f9a7720d84be6a9b1c35e6f708192 ",
];

/** Returns a right, almost right or wrong value of the signature header, or null for no header. */
export function signatureFor(random: CaseRandom, body: Buffer, secrets: readonly [string, ...string[]]): string | null {
  const sign = (bytes: Buffer, secret: string) => createHmac("sha256", secret).update(bytes).digest("hex");
  const right = sign(body, random.pick(...secrets));
  if (random.oneIn(3)) return right;
  const wrong = random.bytes(32).toString("hex");
  return random.pick<() => string | null>(
    () => right.toUpperCase(),
    () => [...right].map((digit) => (random.oneIn(2) ? digit.toUpperCase() : digit)).join(""),
    () => right.slice(0, 63),
    () => `${right}0`,
    () => `${right},${wrong}`,
    () => `${wrong}, ${right}`,
    () => `${wrong}\t,\t${right}`,
    () => `${wrong},${wrong},${right}`,
    () => `${right},`,
    () => `,${right}`,
    () => `${right},${right.slice(0, 63)}`,
    () => ` \t ${right} \t`,
    () => `${right};`,
    () => `"${right}"`,
    () => `sha256=${right}`,
    () => `v1=${right}`,
    () => right.replace(/[0-9]/, "٣"),
    () => right.replace(/[a-f]/, "g"),
    () => `${right.slice(0, 32)} ${right.slice(32)}`,
    () => Buffer.from(right, "hex").toString("base64"),
    () => `0x${right.slice(2)}`,
    () => wrong,
    () => "0".repeat(64),
    () => "",
    () => null,
    () => "null",
    () => Buffer.from(random.bytes(random.below(80)).map(printable)).toString("latin1"),
    () => sign(body, random.pick(...OTHER_SECRETS)),
    () => sign(Buffer.concat([body, Buffer.from("\n")]), secrets[0]),
    () => sign(reserialize(body), secrets[0]),
    () => sign(Buffer.from(body.toString("utf8")), secrets[0]),
    () => sign(Buffer.from(right), secrets[0]),
  )();
}

/** Parses the body and serializes it again, as a careless receiver does before it checks the signature. */
function reserialize(body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString("utf8"))) ?? "");
  } catch {
    return body;
  }
}

/** Replaces bytes that a header may not contain, which are the control characters, by a question mark. */
const printable = (byte: number): number => (byte < 0x20 || byte === 0x7f ? 0x3f : byte);
