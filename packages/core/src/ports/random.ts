/** The only source of randomness in core. */
export interface Random {
  /** A UUID, version 4. */
  uuid(): string;
  /** From 0 (included) to 1 (excluded). Used for jitter. */
  fraction(): number;
}
