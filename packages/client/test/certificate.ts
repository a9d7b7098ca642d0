import { createCertificateAuthority } from "../../testkit/src/shopify/senders/certificates.ts";

/** A certificate for this machine. The client depends on no other package, so the file is imported by its path. */
const authority = createCertificateAuthority("An authority of the tests");

export const certificate = { ...authority.issue("service", ["127.0.0.1"]), ca: authority.certificate };
