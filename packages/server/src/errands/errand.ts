/** A piece of work of a platform's own. `State` is JSON. Times in milliseconds since 1970. */
export type Errand<State> = {
  readonly storeId: string;
  /** Unique among the errands of its kind and store. */
  readonly key: string;
  readonly state: State;
  /** How often it was begun, this time included. */
  readonly tries: number;
};

/**
 * How one go ended. `done`: kept as a memory that it was done. `later`: again at `dueAt`. `parked`: trying again does not
 * help before a person did something; `why` is a sentence for her, without personal data.
 */
export type ErrandEnd<State> =
  | { readonly say: "done"; readonly state: State }
  | { readonly say: "later"; readonly state: State; readonly dueAt: number }
  | { readonly say: "parked"; readonly state: State; readonly why: string };

export type Errands<State> = {
  /** Durable when it resolves. `known`: an errand of this key was added before, and stays as it is. */
  add(storeId: string, key: string, state: State): Promise<"added" | "known">;
  /** As it stands, done or not. */
  find(storeId: string, key: string): Promise<KeptErrand<State> | null>;
  /** One round: what is due is done, several at once. Answers how many. */
  runDue(): Promise<number>;
  /** Those that wait for a person. */
  parked(storeId: string): Promise<readonly KeptErrand<State>[]>;
  /** A parked one has another go, as if it were new. */
  replay(storeId: string, key: string): Promise<void>;
  /** Takes those away that were done before `before`. */
  forget(before: number): Promise<number>;
};

export type KeptErrand<State> = {
  readonly key: string;
  readonly state: State;
  readonly tries: number;
  /** Null: done, or parked. */
  readonly dueAt: number | null;
  readonly doneAt: number | null;
  readonly why: string | null;
};
