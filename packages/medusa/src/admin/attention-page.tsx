import { Alert, Button, Container, Heading, Tabs, Text } from "@medusajs/ui";
import { useEffect, useState } from "react";
import type { PaymentPage, Show } from "../attention/list-payments.ts";
import { pageOfPayments } from "./ask-medusa.ts";
import { useWords } from "./language.ts";
import { PaymentCard } from "./payment-card.tsx";

const SHOWS: readonly Show[] = ["attention", "refunded", "all"];

/** Payments that need a look; what went back; everything. */
export function AttentionPage() {
  const { words } = useWords();
  const [show, setShow] = useState<Show>("attention");
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <div>
          <Heading level="h1">{words.page}</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            {words.pageHint}
          </Text>
        </div>
        <Tabs value={show} onValueChange={(value) => setShow(SHOWS.find((one) => one === value) ?? "attention")}>
          <Tabs.List>
            {SHOWS.map((one) => (
              <Tabs.Trigger key={one} value={one}>
                {words.shows[one]}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
        </Tabs>
      </div>
      <PaymentList key={show} show={show} />
    </Container>
  );
}

function PaymentList({ show }: { readonly show: Show }) {
  const { language, words } = useWords();
  const [pages, setPages] = useState<readonly PaymentPage[]>([]);
  const [failure, setFailure] = useState<string | null>(null);

  async function load(after: string | null, before: readonly PaymentPage[]) {
    try {
      setPages([...before, await pageOfPayments(show, after, language)]);
      setFailure(null);
    } catch (error) {
      setFailure(`${words.failed} ${error instanceof Error ? error.message : ""}`.trim());
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each list and language
  useEffect(() => {
    void load(null, []);
  }, [show, language]);

  const [first] = pages;
  const next = pages.at(-1)?.next ?? null;
  const payments = pages.flatMap((page) => page.payments);
  return (
    <div className="divide-y">
      {failure !== null && <Notice text={failure} />}
      {first && first.given_up > 0 && <Notice text={words.givenUp(first.given_up)} />}
      {first && first.orphan_webhooks > 0 && <Notice text={words.orphanWebhooks(first.orphan_webhooks)} />}
      {first && payments.length === 0 && <Text className="px-6 py-8">{words.nothing[show]}</Text>}
      {payments.map((payment) => (
        <PaymentCard key={`${payment.id} ${language}`} payment={payment} />
      ))}
      {next !== null && (
        <div className="flex justify-center px-6 py-4">
          <Button size="small" variant="secondary" onClick={() => load(next, pages)}>
            {words.more}
          </Button>
        </div>
      )}
    </div>
  );
}

function Notice({ text }: { readonly text: string }) {
  return (
    <div className="px-6 py-4">
      <Alert variant="warning">{text}</Alert>
    </div>
  );
}
