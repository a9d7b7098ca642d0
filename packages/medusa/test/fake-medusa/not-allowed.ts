/** The error with which Medusa answers 400. */
export function notAllowed(message: string): Error {
  return Object.assign(new Error(message), { type: "not_allowed" });
}
