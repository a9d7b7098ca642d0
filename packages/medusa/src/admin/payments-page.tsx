import { Alert, Button, Container, Heading, Input, Tabs, Text } from "@medusajs/ui";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { PaymentFilter, PaymentPage } from "../admin-api/list-payments.ts";
import { fetchPayments } from "./api-client.ts";
import { CopyQuestion } from "./copy-question.tsx";
import { useTexts } from "./language.ts";
import { LoadingLine } from "./loading-line.tsx";
import { PaymentCard } from "./payment-card.tsx";

const FILTERS: readonly PaymentFilter[] = ["review", "refunded", "all"];

/** Lists payments to review, refunded payments, or all payments. */
export function PaymentsPage() {
  const { texts } = useTexts();
  const [filter, setFilter] = useState<PaymentFilter>("review");
  // Links from other pages name a payment here.
  const [parameters] = useSearchParams();
  const [typed, setTyped] = useState(parameters.get("search") ?? "");
  const search = useDebounced(typed.trim());
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <div>
          <Heading level="h1">{texts.pageTitle}</Heading>
          <Text size="small" className="text-ui-fg-subtle">
            {texts.pageDescription}
          </Text>
        </div>
        <Tabs value={filter} onValueChange={(value) => setFilter(FILTERS.find((one) => one === value) ?? "review")}>
          <Tabs.List>
            {FILTERS.map((one) => (
              <Tabs.Trigger key={one} value={one}>
                {texts.filters[one]}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
        </Tabs>
      </div>
      <div className="px-6 py-3">
        <Input
          type="search"
          size="small"
          placeholder={texts.search}
          aria-label={texts.search}
          value={typed}
          onChange={({ target }) => setTyped((target as unknown as { value: string }).value)}
        />
      </div>
      <PaymentList key={`${filter} ${search}`} filter={filter} search={search} />
    </Container>
  );
}

const DEBOUNCE_MS = 400;

/** The value once it has not changed for a moment, so that typing sends one request. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

function PaymentList({ filter, search }: { readonly filter: PaymentFilter; readonly search: string }) {
  const { language, texts } = useTexts();
  const [pages, setPages] = useState<readonly PaymentPage[]>([]);
  const [failure, setFailure] = useState<string | null>(null);

  async function load(after: string | null, loaded: readonly PaymentPage[]) {
    try {
      setPages([...loaded, await fetchPayments({ filter, search }, after, language)]);
      setFailure(null);
    } catch (error) {
      setFailure(`${texts.failed} ${error instanceof Error ? error.message : ""}`.trim());
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once for each filter, search and language
  useEffect(() => {
    void load(null, []);
  }, [filter, search, language]);

  const [first] = pages;
  const next = pages.at(-1)?.next ?? null;
  const payments = pages.flatMap((page) => page.payments);
  return (
    <div className="divide-y">
      {failure !== null && <Warning text={failure} />}
      {failure === null && !first && <LoadingLine />}
      {first?.copy && <CopyQuestion copy={first.copy} />}
      {first && first.dead_letter_jobs > 0 && <Warning text={texts.deadLetterJobs(first.dead_letter_jobs)} />}
      {first && first.orphan_webhooks > 0 && <Warning text={texts.orphanWebhooks(first.orphan_webhooks)} />}
      {first && payments.length === 0 && (
        <Text className="px-6 py-8">{search === "" ? texts.emptyList[filter] : texts.nothingFound}</Text>
      )}
      {payments.map((payment) => (
        <PaymentCard key={`${payment.id} ${language}`} payment={payment} />
      ))}
      {next !== null && (
        <div className="flex justify-center px-6 py-4">
          <Button size="small" variant="secondary" onClick={() => load(next, pages)}>
            {texts.loadMore}
          </Button>
        </div>
      )}
    </div>
  );
}

function Warning({ text }: { readonly text: string }) {
  return (
    <div className="px-6 py-4">
      <Alert variant="warning">{text}</Alert>
    </div>
  );
}
