import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** PEM texts, as Node's TLS options take them. */
export type IssuedCertificate = { readonly key: string; readonly cert: string };

export type CertificateAuthority = {
  /** The PEM certificate of the root, which the other side trusts. */
  readonly certificate: string;
  /** @param hosts the names and IP addresses of a server; none for a client */
  issue(commonName: string, hosts?: readonly string[]): IssuedCertificate;
};

/**
 * A certificate authority in memory for tests of mutual TLS: self-signed with P-256, like Shopify's "Payments Platform Root CA".
 * Node cannot create certificates, so this file encodes them in DER, the binary format of certificates.
 */
export function createCertificateAuthority(name: string): CertificateAuthority {
  const root = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const certify = (subject: string, publicKey: KeyObject, extensions: readonly Buffer[]) =>
    pem("CERTIFICATE", certificate({ issuer: name, subject, publicKey, extensions }, root.privateKey));
  return {
    certificate: certify(name, root.publicKey, [BASIC_CA]),
    issue(commonName, hosts = []) {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      return { key, cert: certify(commonName, publicKey, hosts.length > 0 ? [alternativeNames(hosts)] : []) };
    },
  };
}

function certificate(
  fields: {
    readonly issuer: string;
    readonly subject: string;
    readonly publicKey: KeyObject;
    readonly extensions: readonly Buffer[];
  },
  signer: KeyObject,
): Buffer {
  const serial = randomBytes(16);
  // DER requires a positive number without a leading zero: clear the first bit and set the second.
  serial.writeUInt8((serial.readUInt8(0) & 0x7f) | 0x40, 0);
  const content = sequence(
    // Version 3 is encoded as 2.
    tagged(TAG.version, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_SHA256,
    commonName(fields.issuer),
    // Valid from 2020 to the end of 2049.
    sequence(utcTime("200101000000Z"), utcTime("491231235959Z")),
    commonName(fields.subject),
    fields.publicKey.export({ type: "spki", format: "der" }),
    ...(fields.extensions.length > 0 ? [tagged(TAG.extensions, sequence(...fields.extensions))] : []),
  );
  const signature = sign("sha256", content, signer);
  return sequence(content, ECDSA_SHA256, tagged(TAG.bitString, Buffer.from([0]), signature));
}

// --- DER: tag, length, value ---

const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  /** Names of a server in the extension of alternative names. */
  dnsName: 0x82,
  ipAddress: 0x87,
  /** Optional fields of a certificate. */
  version: 0xa0,
  extensions: 0xa3,
} as const;

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(value.length)]), value]);
}

/** A length below 0x80 is one byte. A longer length follows a byte that names the number of its bytes: 0x81 or 0x82. */
function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(TAG.sequence, ...parts);
}

function integer(value: Buffer): Buffer {
  // A first byte from 0x80 would make the number negative, so a zero goes before it.
  return tagged(TAG.integer, value.readUInt8(0) & 0x80 ? Buffer.concat([Buffer.from([0]), value]) : value);
}

function utcTime(text: string): Buffer {
  return tagged(TAG.utcTime, Buffer.from(text));
}

// Encoded object identifiers (OID), which name the parts of a certificate.
const OID_COMMON_NAME = Buffer.from("0603550403", "hex");
const ECDSA_SHA256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
const OID_BASIC_CONSTRAINTS = Buffer.from("0603551d13", "hex");
const OID_ALTERNATIVE_NAMES = Buffer.from("0603551d11", "hex");
const TRUE = Buffer.from("0101ff", "hex");
const BASIC_CA = sequence(OID_BASIC_CONSTRAINTS, TRUE, tagged(TAG.octetString, sequence(TRUE)));

function commonName(name: string): Buffer {
  return sequence(tagged(TAG.set, sequence(OID_COMMON_NAME, tagged(TAG.utf8String, Buffer.from(name)))));
}

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4
      ? tagged(TAG.ipAddress, Buffer.from(host.split(".").map(Number)))
      : tagged(TAG.dnsName, Buffer.from(host)),
  );
  return sequence(OID_ALTERNATIVE_NAMES, tagged(TAG.octetString, sequence(...names)));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
