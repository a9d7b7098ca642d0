import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Certificate = { readonly key: Buffer; readonly cert: Buffer; readonly certFile: string; remove(): void };

/** A certificate for 127.0.0.1 that signs itself, valid for a day. Needs the program `openssl`. */
export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-bench-"));
  const keyFile = join(folder, "key.pem");
  const certFile = join(folder, "cert.pem");
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  execFileSync("openssl", ["req", "-x509", ...curve, "-keyout", keyFile, "-out", certFile, ...subject], {
    stdio: "pipe",
  });
  return {
    key: readFileSync(keyFile),
    cert: readFileSync(certFile),
    certFile,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
