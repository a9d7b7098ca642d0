import type { Server } from "node:https";
import { codeOf, type Log } from "@tillkit/core";
import type { ShopifyConfig } from "../config/config-schema.ts";
import { readTlsFiles, type TlsFiles } from "./read-tls-files.ts";

type TlsPaths = NonNullable<ShopifyConfig["listen"]["tls"]>;

export type TlsReloadOptions = {
  readonly server: Pick<Server, "setSecureContext">;
  readonly paths: TlsPaths;
  /** The files that the server uses now. */
  readonly files: TlsFiles;
  readonly log: Log;
};

/**
 * Returns the function that reads the PEM files again and uses changed ones for new connections. Certificates of a public
 * authority are renewed every few weeks, and Shopify replaces the roots of its client certificates. Files that cannot be used
 * are reported once, and the server keeps the files that it uses now.
 */
export function createTlsReload({ server, paths, files, log }: TlsReloadOptions): () => Promise<void> {
  let used = files;
  let lastMistake = "";

  return async function reloadTls() {
    try {
      const next = await readTlsFiles(paths);
      lastMistake = "";
      if (JSON.stringify(next) === JSON.stringify(used)) return;
      server.setSecureContext({ cert: next.cert, key: next.key, ca: [...next.ca] });
      used = next;
      log.info("shopify.certificates_reloaded", {});
    } catch (error) {
      // A renewal replaces the certificate and the key one after the other, so a mistake may last for a moment only.
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== lastMistake) log.error("shopify.certificates_not_reloaded", { code: codeOf(error), reason });
      lastMistake = reason;
    }
  };
}
