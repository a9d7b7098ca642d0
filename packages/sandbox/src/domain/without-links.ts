/** A resource that names no session and, as its metadata is null, nothing of the merchant. It still names its transaction. */
export function withoutLinks(resource: Record<string, unknown>): Record<string, unknown> {
  const { checkout_session_id: _, ...rest } = resource;
  return { ...rest, metadata: null };
}
