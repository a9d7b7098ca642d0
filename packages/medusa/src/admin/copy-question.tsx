import { Alert, Button } from "@medusajs/ui";
import { useState } from "react";
import type { PaymentPage } from "../admin-api/list-payments.ts";
import { answerAboutCopy } from "./api-client.ts";
import { useTexts } from "./language.ts";

/** Asks whether this shop moved, or is a copy, which must not refund with the keys of the original. */
export function CopyQuestion({ copy }: { readonly copy: NonNullable<PaymentPage["copy"]> }) {
  const { language, texts } = useTexts();
  const [isAnswered, setIsAnswered] = useState(false);
  const { text, moved, isCopy } = texts.copy;
  if (isAnswered) return null;
  const answer = async (value: "moved" | "copy") => {
    await answerAboutCopy(copy.address, value, language);
    setIsAnswered(true);
  };
  return (
    <div className="px-6 py-4">
      <Alert variant="warning">
        {text(copy)}
        <div className="flex gap-2 pt-2">
          <Button size="small" variant="secondary" onClick={() => answer("moved")}>
            {moved}
          </Button>
          <Button size="small" variant="secondary" onClick={() => answer("copy")}>
            {isCopy}
          </Button>
        </div>
      </Alert>
    </div>
  );
}
