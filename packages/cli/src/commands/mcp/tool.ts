import type { z } from "zod";

/**
 * What a tool answers. `facts` and `rows` are redacted, and shortened to what an answer may hold; texts that a shop, a shopper or the
 * service wrote stand in a field `untrusted` of them. `document` is a part of our own documentation, as it is.
 */
export type ToolAnswer = {
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly rows?: readonly object[];
  readonly document?: string;
};

/** One tool: what an assistant may call, with what, and the function that answers. */
export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** `looks`: changes nothing anywhere. `sandbox`: changes a sandbox on this machine. */
  readonly effect: "looks" | "sandbox";
  run(input: z.output<Input>): Promise<ToolAnswer>;
};

/** Lets the compiler check `run` against the input of its tool, and puts tools of different inputs into one list. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}
