import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { CheckoutError, codeOf } from "@tillkit/core";
import type { ShopifyConfig } from "../config/config-schema.ts";

export type TlsFiles = { readonly cert: string; readonly key: string; readonly ca: readonly string[] };

type TlsPaths = NonNullable<ShopifyConfig["listen"]["tls"]>;

/**
 * Reads and checks the PEM files of `listen.tls`. A TLS server accepts a `clientCa` file that contains no certificate and then
 * rejects every session request, so such a mistake must prevent the start.
 * @throws CheckoutError `configuration_invalid`, one sentence for each file that cannot be used
 */
export async function readTlsFiles(tls: TlsPaths): Promise<TlsFiles> {
  const [cert = "", key = "", ...ca] = await readPems([tls.cert, tls.key, ...tls.clientCa]);
  const mistakes: string[] = [];
  if (!isCertificate(cert)) mistakes.push(describeMissing("certificate", tls.cert));
  if (!isKey(key)) mistakes.push(describeMissing("private key that opens without a passphrase", tls.key));
  for (const [index, file] of tls.clientCa.entries()) {
    if (!isCertificate(ca[index] ?? "")) mistakes.push(describeMissing("certificate", file));
  }
  if (mistakes.length === 0 && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    mistakes.push(`The key ${tls.key} of listen.tls does not belong to the certificate ${tls.cert}.`);
  }
  throwMistakes(mistakes);
  return { cert, key, ca };
}

async function readPems(files: readonly string[]): Promise<string[]> {
  const results = await Promise.allSettled(files.map((file) => readFile(file, "utf8")));
  const pems: string[] = [];
  const mistakes: string[] = [];
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") pems.push(result.value);
    else mistakes.push(`The file ${files[index]} of listen.tls cannot be read (${codeOf(result.reason)}).`);
  }
  throwMistakes(mistakes);
  return pems;
}

function throwMistakes(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new CheckoutError("configuration_invalid", mistakes.join("\n"));
}

function describeMissing(what: string, file: string): string {
  return `The file ${file} of listen.tls contains no ${what}: it must be a PEM file.`;
}

function isCertificate(pem: string): boolean {
  return succeeds(() => new X509Certificate(pem));
}

function isKey(pem: string): boolean {
  return succeeds(() => createPrivateKey(pem));
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
