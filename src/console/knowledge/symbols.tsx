/** The symbols in models, with their counters; removing them, and the blacklist. */

import { useSignal } from "@preact/signals";
import {
  addBlacklistedSymbols,
  listBlacklistedSymbols,
  listModels,
  listSymbols,
  type Processor,
  removeBlacklistedSymbols,
  removeSymbols,
  type Schemas,
  type SymbolListQuery,
} from "../../client";
import { Allowed } from "../parts/allowed";
import { type Answer, useAnswer } from "../parts/answer";
import { Chip } from "../parts/chip";
import type { Column } from "../parts/data-table";
import { ConfirmDialog } from "../parts/dialog";
import { Failure } from "../parts/failure";
import { Choice } from "../parts/fields";
import { whole } from "../parts/figures";
import { Section } from "../parts/section";
import { symbolsOf } from "../parts/typed-record";
import { linkTo, place } from "../place";
import { refusal } from "../rights";
import { countOf } from "./figures";
import { ListTable, pageQuery } from "./list-place";
import { SearchForm, type SearchKind, searchForSymbol, searchOf } from "./search-form";

const SORTS = ["frequency", "model_member_frequency", "name"] as const;

const KINDS: readonly [SearchKind, ...SearchKind[]] = [
  { name: "name", title: "Begins with", example: "temp=" },
  { name: "pattern", title: "Matches", example: "temp=2.*" },
];

/** The search in the URL as a query for the client. */
function sought(): SymbolListQuery {
  const { kind, text } = searchOf(KINDS);
  if (text === "") return {};
  return kind.name === "pattern" ? { patterns: [text] } : { name: text };
}

export function Symbols({ processor }: { readonly processor: Processor }) {
  const removed = useSignal<string | undefined>(undefined);
  const { query } = place.value;
  const asked = useAnswer(
    (signal) => {
      return listSymbols(processor, { ...sought(), ...pageQuery(SORTS) }, { signal });
    },
    [processor, JSON.stringify(query)],
  );
  const blacklist = useAnswer((signal) => listBlacklistedSymbols(processor, { signal }), [processor]);
  const cannotChange = refusal({ of: "processor" }, "manage");
  const columns = columnsWith((symbol) => {
    removed.value = symbol;
  }).filter(({ name }) => name !== CHANGE || cannotChange === "");
  return (
    <>
      <Section title="Symbols">
        <SearchForm label="Search symbols" kinds={KINDS} />
        <Allowed what="remove or blacklist symbols" refusal={cannotChange} />
        <ListTable
          asked={asked}
          rows={asked.value?.symbols}
          noun="symbols"
          sorts={SORTS}
          nothing={
            place.value.query.search === undefined ? "No symbol has been learned yet." : "No symbol matches the search."
          }
          caption="Symbols in models"
          columns={columns}
          keyOf={({ name }) => name}
        />
      </Section>
      <Blacklist processor={processor} asked={blacklist} mayChange={cannotChange === ""} />
      {removed.value !== undefined && (
        <RemoveDialog
          processor={processor}
          symbol={removed.value}
          onClose={() => {
            removed.value = undefined;
          }}
          onDone={() => {
            void asked.again();
            void blacklist.again();
          }}
        />
      )}
    </>
  );
}

/** The column of buttons. */
const CHANGE = "change";

function columnsWith(onRemove: (symbol: string) => void): readonly Column<Schemas.SymbolRecord>[] {
  return [
    {
      name: "name",
      title: "Symbol",
      isSortable: true,
      isRowHeader: true,
      cell: ({ name }) => (
        <a href={linkTo({ path: ["models"], query: searchForSymbol(name) })} title={`Models that hold ${name}`}>
          <Chip symbol={name} />
        </a>
      ),
    },
    {
      name: "frequency",
      title: "Occurs",
      isNumber: true,
      isSortable: true,
      cell: ({ features }) => whole(features.frequency),
    },
    {
      name: "model_member_frequency",
      title: "Learned in models",
      isNumber: true,
      isSortable: true,
      cell: ({ features }) => whole(features.model_member_frequency),
    },
    {
      name: CHANGE,
      title: "Change",
      isNumber: true,
      isPlain: true,
      cell: ({ name }) => (
        <button type="button" aria-label={`Remove ${name}`} onClick={() => onRemove(name)}>
          Remove…
        </button>
      ),
    },
  ];
}

/** Says how many models would change, and asks. */
function RemoveDialog({
  processor,
  symbol,
  onClose,
  onDone,
}: {
  readonly processor: Processor;
  readonly symbol: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const what = useSignal<"remove" | "blacklist">("remove");
  const { value, error } = useAnswer(
    (signal) => listModels(processor, { symbols: [symbol], limit: 1 }, { signal }),
    [processor, symbol],
  );
  const isOnlyBlacklisted = what.value === "blacklist";
  const models = value === undefined ? "models" : countOf(value.total, "model");
  const confirm = async () => {
    if (isOnlyBlacklisted) await addBlacklistedSymbols(processor, [symbol]);
    else await removeSymbols(processor, [symbol], { retries: 0 });
    onDone();
  };
  return (
    <ConfirmDialog
      title={`Remove ${symbol}?`}
      action={isOnlyBlacklisted ? "Blacklist it" : `Remove it from ${models}`}
      isDangerous={!isOnlyBlacklisted}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Failure error={error} />
      <Choice
        label="What to do"
        value={what}
        choices={[
          [
            "remove",
            `Remove it from ${models} and blacklist it. Models get new names; models left empty are deleted. ` +
              "This cannot be undone.",
          ],
          ["blacklist", "Only blacklist it: later observations drop it, models keep it."],
        ]}
      />
    </ConfirmDialog>
  );
}

/** The symbols that observations drop. */
function Blacklist({
  processor,
  asked: { value, error, again },
  mayChange,
}: {
  readonly processor: Processor;
  readonly asked: Answer<string[]>;
  readonly mayChange: boolean;
}) {
  const typed = useSignal("");
  const failure = useSignal<unknown>(undefined);
  const act = (action: () => Promise<unknown>) => {
    failure.value = undefined;
    action().then(again, (reason: unknown) => {
      failure.value = reason;
    });
  };
  const add = (event: Event) => {
    event.preventDefault();
    const symbols = symbolsOf(typed.value);
    if (symbols.length === 0) return;
    const sent = typed.value;
    act(async () => {
      await addBlacklistedSymbols(processor, symbols);
      // Keep what the user has typed in the meantime.
      if (typed.value === sent) typed.value = "";
    });
  };
  const listed = value ?? [];
  return (
    <Section title="Blacklist">
      <p class="facts">Observations drop these symbols. Models keep those that they hold.</p>
      <Failure error={failure.value ?? error} />
      {value !== undefined && listed.length === 0 && <p class="nothing">No symbol is blacklisted.</p>}
      {listed.length > 0 && (
        <ul class="blacklist" aria-label="Blacklisted symbols">
          {listed.map((symbol) => (
            <li key={symbol}>
              <Chip symbol={symbol} />
              {mayChange && (
                <button
                  type="button"
                  aria-label={`Take off ${symbol}`}
                  onClick={() => act(() => removeBlacklistedSymbols(processor, [symbol]))}
                >
                  Take off
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <form class="row" onSubmit={add}>
          <input
            type="text"
            aria-label="Symbols to blacklist, separated by spaces"
            placeholder='noise "no signal"'
            autocomplete="off"
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
          />
          <button type="submit">Blacklist</button>
        </form>
      )}
    </Section>
  );
}
