/** Owners type the name of a payment method by hand, so case and surrounding spaces do not count. */
export function isSameGateway(one: string, other: string): boolean {
  return normalizeGateway(one) === normalizeGateway(other);
}

export function normalizeGateway(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}
