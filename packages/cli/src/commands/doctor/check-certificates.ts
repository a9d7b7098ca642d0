import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { bad, type Check, careful, good } from "./check.ts";

const DAY_MS = 86_400_000;
const RENEW_WITHIN_DAYS = 14;

export type TlsFiles = { readonly cert: string; readonly clientCa: readonly string[] };

/** Checks that a server's certificate names its public host, and that this certificate and those of its clients' authorities stay valid. */
export async function* checkCertificates({ cert, clientCa }: TlsFiles, publicUrl: string): AsyncGenerator<Check> {
  const host = new URL(publicUrl).hostname;
  const certificate = await readCertificate(cert);
  if (certificate === null) yield unreadable(cert);
  else if (certificate.checkHost(host) === undefined && certificate.checkIP(host) === undefined)
    yield bad("certificate", `The certificate ${cert} is not for ${host}, the host of publicUrl.`);
  else yield validity(certificate, cert);
  for (const file of clientCa) {
    const authority = await readCertificate(file);
    yield authority === null ? unreadable(file) : validity(authority, file);
  }
}

/** Null for a file that cannot be read or is no certificate. */
async function readCertificate(file: string): Promise<X509Certificate | null> {
  try {
    return new X509Certificate(await readFile(file));
  } catch {
    return null;
  }
}

function unreadable(file: string): Check {
  return bad("certificate", `The file ${file} of listen.tls is no certificate that can be read: check the path.`);
}

function validity({ validTo }: X509Certificate, file: string): Check {
  const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
  const day = new Date(validTo).toISOString().slice(0, 10);
  if (days < 0) return bad("certificate", `The certificate ${file} ended on ${day}: replace the file.`);
  if (days < RENEW_WITHIN_DAYS) return careful("certificate", `The certificate ${file} ends on ${day}: renew it now.`);
  return good("certificate", `The certificate ${file} is valid until ${day}.`);
}
