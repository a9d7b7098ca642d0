import { Copy, Text } from "@medusajs/ui";
import type { ReactNode } from "react";

/** A name and its value, side by side. */
export function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_1fr] items-start gap-x-3">
      <dt>
        <Text size="small" weight="plus" className="text-ui-fg-subtle">
          {name}
        </Text>
      </dt>
      <dd className="min-w-0">
        <Text as="div" size="small" className="break-words">
          {children}
        </Text>
      </dd>
    </div>
  );
}

/** An id with a button that copies it; a dash where there is none. */
export function CopyableId({ id }: { readonly id: string | null }) {
  if (id === null) return "–";
  return (
    <span className="inline-flex max-w-full items-center gap-x-2">
      <span className="truncate font-mono text-xs">{id}</span>
      <Copy content={id} variant="mini" className="text-ui-fg-muted" />
    </span>
  );
}
