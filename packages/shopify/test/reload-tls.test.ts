import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import type { Log } from "@tillkit/core";
import { createCertificateAuthority, type IssuedCertificate } from "@tillkit/shopify-simulator";
import { expect, onTestFinished, test } from "vitest";
import { readTlsFiles } from "../src/commands/read-tls-files.ts";
import { createTlsReload } from "../src/commands/reload-tls.ts";

const publicAuthority = createCertificateAuthority("A public authority");
const formerShopifyAuthority = createCertificateAuthority("Shopify then");
const newShopifyAuthority = createCertificateAuthority("Shopify now");

/** A TLS server with files on disk, as `tillkit shopify serve` opens it. */
async function openServer() {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-tls-"));
  const paths = { cert: join(folder, "cert"), key: join(folder, "key"), clientCa: [join(folder, "ca")] };
  const write = async ({ cert, key }: IssuedCertificate, ca: string) => {
    await Promise.all([writeFile(paths.cert, cert), writeFile(paths.key, key), writeFile(join(folder, "ca"), ca)]);
  };
  await write(publicAuthority.issue("first certificate", ["127.0.0.1"]), formerShopifyAuthority.certificate);
  const files = await readTlsFiles(paths);
  const server = createServer({ ...files, ca: [...files.ca], requestCert: true, rejectUnauthorized: false });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const messages: string[] = [];
  const log: Log = {
    info: (message) => messages.push(message),
    warn: () => {},
    error: (message) => messages.push(message),
  };
  const reload = createTlsReload({ server, paths, files, log });

  /** The name in the server's certificate, and whether the server accepts the client's certificate. */
  async function handshake(client: IssuedCertificate) {
    const { port } = server.address() as AddressInfo;
    const accepted = new Promise<boolean>((resolve) =>
      server.once("secureConnection", (socket: TLSSocket) => resolve(socket.authorized)),
    );
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...client });
    socket.on("error", () => undefined);
    await new Promise<void>((resolve) => socket.once("secureConnect", resolve));
    const { subject } = socket.getPeerCertificate();
    const result = { name: subject.CN, accepted: await accepted };
    socket.destroy();
    return result;
  }

  return { paths, write, reload, handshake, messages };
}

test("a renewed certificate and Shopify's new root are used for new connections without a restart", async () => {
  const { write, reload, handshake, messages } = await openServer();
  const client = newShopifyAuthority.issue("Shopify");
  expect(await handshake(client)).toEqual({ name: "first certificate", accepted: false });
  await write(
    publicAuthority.issue("renewed certificate", ["127.0.0.1"]),
    formerShopifyAuthority.certificate + newShopifyAuthority.certificate,
  );
  await reload();
  expect(await handshake(client)).toEqual({ name: "renewed certificate", accepted: true });
  expect(await handshake(formerShopifyAuthority.issue("Shopify"))).toMatchObject({ accepted: true });
  await reload();
  expect(messages).toEqual(["shopify.certificates_reloaded"]);
});

test("a certificate without its key is reported once and not used, and the next complete renewal is used", async () => {
  const { paths, write, reload, handshake, messages } = await openServer();
  const renewed = publicAuthority.issue("renewed certificate", ["127.0.0.1"]);
  await writeFile(paths.cert, renewed.cert);
  await reload();
  await reload();
  expect(await handshake(formerShopifyAuthority.issue("Shopify"))).toEqual({
    name: "first certificate",
    accepted: true,
  });
  expect(messages).toEqual(["shopify.certificates_not_reloaded"]);
  await write(renewed, formerShopifyAuthority.certificate);
  await reload();
  expect(await handshake(formerShopifyAuthority.issue("Shopify"))).toMatchObject({ name: "renewed certificate" });
});
