/** The metadata that we wrote when the session was opened, as a response or an event shows it. */
export type OurMetadata = { readonly reference: string | undefined; readonly signedOrder: string | undefined };

export function readOurMetadata(metadata: Readonly<Record<string, unknown>> | undefined): OurMetadata {
  return { reference: textOf(metadata?.tillkit_reference), signedOrder: textOf(metadata?.tillkit_order) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
