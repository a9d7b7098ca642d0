import { Text } from "@medusajs/ui";
import { useTexts } from "./language.ts";

/** Stands where payments will be shown. */
export function LoadingLine() {
  const { texts } = useTexts();
  return (
    <Text role="status" size="small" className="text-ui-fg-subtle px-6 py-4">
      {texts.loading}
    </Text>
  );
}
