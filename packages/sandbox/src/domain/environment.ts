export type Environment = "test" | "live";
