export type AuditErrorCode =
  | "not_read_only"
  | "day_used_up"
  | "shop_refused"
  | "shop_unreachable"
  | "shop_unreadable"
  | "export_unreadable"
  | "mapping_missing";

/** Compare `code`. The message is one sentence for a person, and never contains anything of a request. */
export class AuditError extends Error {
  override readonly name = "AuditError";
  readonly code: AuditErrorCode;

  constructor(code: AuditErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
