import { Text } from "@medusajs/ui";
import type { PaymentView } from "../admin-api/payment-view.ts";
import { formatTime, useTexts } from "./language.ts";

/** The timeline of a payment, oldest entry first. */
export function PaymentTimeline({ timeline }: { readonly timeline: PaymentView["timeline"] }) {
  const { language, texts } = useTexts();
  return (
    <details>
      <summary className="txt-compact-small-plus text-ui-fg-subtle cursor-pointer">
        {texts.timeline} ({timeline.length})
      </summary>
      <ol className="mt-2 flex flex-col gap-y-2">
        {timeline.map(({ at, actor, text }, index) => (
          // Entries are only added at the end, so an index never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no id
          <li key={index}>
            <Text size="xsmall" className="text-ui-fg-muted">
              {formatTime(at, language)} · {actor}
            </Text>
            <Text size="small">{text}</Text>
          </li>
        ))}
      </ol>
    </details>
  );
}
