/** An id as the database holds it: a UUID in lower case; an id with a prefix, such as `cs_…` or `txn_…`, as it is. */
export function normaliseId(id: string): string {
  const text = id.trim();
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : text;
}
