import { Button, Input, Text } from "@medusajs/ui";
import { useState } from "react";
import { useTexts } from "./language.ts";

type Props = {
  readonly amount: string;
  readonly disabled: boolean;
  /** `reason` in the owner's words. */
  readonly onSettle: (reason: string) => void;
};

/** The button that takes a failed refund off the page after it was settled outside the service. It asks for the reason first. */
export function SettleRefund({ amount, disabled, onSettle }: Props) {
  const { texts } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState("");
  if (!isOpen) {
    return (
      <Button size="small" variant="secondary" disabled={disabled} onClick={() => setIsOpen(true)}>
        {texts.settle}
      </Button>
    );
  }
  return (
    <div className="flex w-full flex-col gap-y-2">
      <Text size="small">{texts.settleHint(amount)}</Text>
      <div className="flex flex-wrap gap-2">
        <Input
          size="small"
          className="min-w-64"
          placeholder={texts.settleReason}
          aria-label={texts.settleReason}
          value={reason}
          onChange={({ target }) => setReason((target as unknown as { value: string }).value)}
        />
        <Button size="small" disabled={disabled || reason.trim() === ""} onClick={() => onSettle(reason)}>
          {texts.settleConfirm}
        </Button>
        <Button size="small" variant="transparent" onClick={() => setIsOpen(false)}>
          {texts.no}
        </Button>
      </div>
    </div>
  );
}
