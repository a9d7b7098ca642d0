/** The only randomness that core knows. */
export interface Random {
  /** A UUID, version 4. */
  uuid(): string;
  /** From 0 (included) to 1 (excluded); for jitter. */
  fraction(): number;
}
