import { Text } from "@medusajs/ui";
import type { PaymentView } from "../attention/payment-view.ts";
import { timeText, useWords } from "./language.ts";

/** The story of a payment in sentences, the newest last. */
export function PaymentHistory({ history }: { readonly history: PaymentView["history"] }) {
  const { language, words } = useWords();
  return (
    <details>
      <summary className="txt-compact-small-plus text-ui-fg-subtle cursor-pointer">
        {words.history} ({history.length})
      </summary>
      <ol className="mt-2 flex flex-col gap-y-2">
        {history.map(({ at, who, text }, index) => (
          // Lines are only ever added at the end.
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name
          <li key={index}>
            <Text size="xsmall" className="text-ui-fg-muted">
              {timeText(at, language)} · {who}
            </Text>
            <Text size="small">{text}</Text>
          </li>
        ))}
      </ol>
    </details>
  );
}
