/** The result of one check. `message`: one sentence that says what is right, or how to fix the problem. */
export type Check = {
  readonly check: string;
  readonly status: "ok" | "warning" | "error";
  readonly message: string;
  /** The shop that was checked, where a configuration has several. */
  readonly storeId?: string;
};

export const good = (check: string, message: string): Check => ({ check, status: "ok", message });
export const careful = (check: string, message: string): Check => ({ check, status: "warning", message });
export const bad = (check: string, message: string): Check => ({ check, status: "error", message });
