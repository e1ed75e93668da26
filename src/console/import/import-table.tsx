/** Imports a table: previews the file, maps its columns, learns and scores the rows, and can undo the learning. */

import { type Signal, signal, useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useId } from "preact/hooks";
import type { Row } from "../../cli/table/row";
import type { Processor } from "../../client";
import { type Task, TaskState, useTask } from "../files/task";
import { Allowed } from "../parts/allowed";
import { readable } from "../parts/chip";
import { DataTable } from "../parts/data-table";
import { Failure } from "../parts/failure";
import { bytes, chance, MS_PER_SECOND, moment, short, whole } from "../parts/figures";
import { OddSymbol } from "../parts/odd-symbols";
import { Section } from "../parts/section";
import { linkTo } from "../place";
import { type Refusal, refusal } from "../rights";
import { currentProcessor } from "../server";
import { keeping } from "../why/moment";
import { chosenFile } from "./chosen-file";
import { CsvFile, DELIMITER_NAMES, ENCODINGS, type Encoding, MAX_BYTES, type Reading, readingOf } from "./csv-file";
import { type Learnt, learnTable, nothingLearnt, type OddRow, type Score, scoreTable, undo } from "./import-run";
import { columnsOf, guessed, lacking, MAX_ROWS, type Mapping, ROLE_WORDS, ROLES, type Role } from "./roles";

/** Number of rows used to guess the columns' roles, and number of rows shown. */
const SAMPLE_ROWS = 200;
const SHOWN_ROWS = 6;

/** Maximum number of symbols named as the causes of a row. */
const MAX_CAUSES = 3;

/** Maximum number of characters of a cell shown. */
const MAX_CELL = 40;

/** How JSON begins, and not a table that can be read; and the bytes of a file that are compared with it. */
const JSON_HEAD = /^\s*(?:\{\s*"|\[\s*[[{"\d])/;
const JSON_HEAD_BYTES = 64;

/** The preview of a file. */
interface Preview {
  readonly file: File;
  readonly reading: Reading;
  readonly names: readonly string[];
  readonly rows: readonly Row["cells"][];
}

/** The changes made by imports, by processor, kept until the page is closed, because views are unmounted. */
const kept = new WeakMap<Processor, Signal<Learnt | undefined>>();

function learntBy(processor: Processor): Signal<Learnt | undefined> {
  const known = kept.get(processor) ?? signal(undefined);
  kept.set(processor, known);
  return known;
}

async function preview(file: File, reading: Reading): Promise<Preview> {
  const rows: Row["cells"][] = [];
  let unreadable: Error | undefined;
  const onBad = (error: Error) => {
    unreadable ??= error;
  };
  for await (const { cells } of new CsvFile(file, reading).rows(onBad)) {
    rows.push(cells);
    if (rows.length >= SAMPLE_ROWS) break;
  }
  const [first] = rows;
  if (first === undefined) {
    if (unreadable !== undefined) {
      if (JSON_HEAD.test(await file.slice(0, JSON_HEAD_BYTES).text()))
        throw new Error(`${file.name} is JSON, and no table: save the table as CSV.`);
      throw new Error(`${file.name} has no row that can be read: ${unreadable.message}`);
    }
    throw new Error(
      `${file.name} has no rows. A table has the names of its columns in the first line, and a line for each row.`,
    );
  }
  return { file, reading, names: Object.keys(first), rows };
}

/** Why the key may not learn a table; empty if it may. */
function learnRefusal(): Refusal {
  const what = { of: "processor" } as const;
  return refusal(what, "observe") || refusal(what, "learn") || refusal(what, "manage");
}

export function ImportTable({ processor }: { readonly processor: Processor }) {
  const looked = useSignal<Preview | undefined>(undefined);
  const mapping = useSignal<Mapping | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const file = chosenFile.value;
  const look = async (chosen: File, reading?: Reading) => {
    error.value = undefined;
    try {
      const found = await preview(chosen, reading ?? (await readingOf(chosen)));
      // The user may have chosen another file meanwhile.
      if (chosenFile.value !== chosen) return;
      mapping.value = guessed(found.names, found.rows);
      looked.value = found;
    } catch (reason) {
      looked.value = undefined;
      error.value = plain(reason);
    }
  };
  useEffect(() => {
    looked.value = undefined;
    if (file !== undefined) void look(file);
  }, [file]);
  return (
    <div class="import">
      <Section title="Import a table">
        <Choose />
        <Failure error={error.value} />
      </Section>
      {looked.value !== undefined && mapping.value !== undefined && (
        <Mapped
          key={looked.value.file.name}
          processor={processor}
          preview={looked.value}
          mapping={mapping as Signal<Mapping>}
          onReading={(reading) => looked.value && void look(looked.value.file, reading)}
        />
      )}
      {looked.value === undefined && <Undo processor={processor} />}
    </div>
  );
}

function Choose() {
  const id = useId();
  return (
    <div class="drop">
      <label for={id}>
        <b>Drop a CSV file</b> anywhere on the page, or choose one
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.gz,text/csv"
        onChange={({ currentTarget }) => {
          chosenFile.value = currentTarget.files?.[0];
        }}
      />
      <p class="facts">
        It stays in the browser while you say what each column is; then its rows are learned, or scored by what was
        learned before. At most {bytes(MAX_BYTES)}, also packed by gzip.
      </p>
    </div>
  );
}

/** An error in words for this view, without names of command-line options. */
function plain(reason: unknown): Error {
  const { message } = reason instanceof Error ? reason : new Error(String(reason));
  return new Error(
    message
      .replace("; --decimal-comma reads a comma as the decimal point", '; tick "A comma is the decimal point" below')
      .replace(", with noema train", "")
      .replace(" with noema train", "")
      .replace("the processor  has", "the processor has"),
  );
}

interface OfMapping {
  readonly preview: Preview;
  readonly mapping: Signal<Mapping>;
}

function Mapped({
  processor,
  preview: looked,
  mapping,
  onReading,
}: OfMapping & { readonly processor: Processor; readonly onReading: (reading: Reading) => void }) {
  const task = useTask();
  const score = useSignal<Score | undefined>(undefined);
  const learnt = learntBy(processor);
  const lack = lacking(mapping.value);
  const isBusy = task.step.value !== undefined;
  const { every } = mapping.value;
  const table = () => new CsvFile(looked.file, looked.reading);
  const learnAll = () =>
    task.begin({ label: "Checking the rows", done: 0, unit: "rows" }, async (signal, report) => {
      const changes = nothingLearnt(looked.file.name);
      learnt.value = changes;
      score.value = undefined;
      const work = { table: table(), columns: columnsOf(mapping.value, false), every, processor, signal, report };
      const remarks = await learnTable(work, changes)
        .catch((reason: unknown) => {
          throw plain(reason);
        })
        .finally(() => {
          // A new object, so that the view is redrawn with what was added meanwhile.
          learnt.value = { ...changes };
        });
      return [`Learned ${counted(changes.sequences, "sequence")} of ${looked.file.name}.`, ...remarks].join(" ");
    });
  const scoreAll = () =>
    task.begin({ label: "Checking the rows", done: 0, unit: "rows" }, async (signal, report) => {
      const work = { table: table(), columns: columnsOf(mapping.value, true), every, processor, signal, report };
      score.value = await scoreTable(work).catch((reason: unknown) => {
        throw plain(reason);
      });
      return `Scored ${counted(score.value.rows, "row")}. Nothing was observed or learned.`;
    });
  return (
    <>
      <Section title={looked.file.name}>
        <How preview={looked} mapping={mapping} onReading={onReading} />
        <Columns preview={looked} mapping={mapping} />
        <Groups mapping={mapping} />
        {lack !== "" && <p class="refused">{lack}</p>}
        <div class="row">
          <Allowed what="learn a table" refusal={learnRefusal()}>
            <button type="submit" disabled={isBusy || lack !== ""} onClick={learnAll}>
              Learn it
            </button>
          </Allowed>
          <Allowed what="score a table" refusal={refusal({ of: "processor" }, "read")}>
            <button type="button" disabled={isBusy || lack !== ""} onClick={scoreAll}>
              Score it
            </button>
          </Allowed>
        </div>
        <p class="facts">
          To learn lets the processor expect what the file does. To score says how unusual each row is by what was
          learned before, and changes nothing.
        </p>
        <TaskState task={task} />
      </Section>
      {!isBusy && <Undo processor={processor} />}
      {score.value !== undefined && !isBusy && <Scored score={score.value} />}
    </>
  );
}

function counted(count: number, what: string): string {
  return `${whole(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** How to read the file. */
function How({
  preview: { file, reading, names },
  mapping,
  onReading,
}: OfMapping & { readonly onReading: (reading: Reading) => void }) {
  const id = useId();
  return (
    <div class="how-read">
      <span class="facts">{bytes(file.size)}</span>
      <label for={`${id}d`}>Separated by</label>
      <select
        id={`${id}d`}
        value={reading.delimiter}
        onChange={({ currentTarget }) => onReading({ ...reading, delimiter: currentTarget.value })}
      >
        {Object.entries(DELIMITER_NAMES).map(([delimiter, name]) => (
          <option key={delimiter} value={delimiter}>
            {name}
          </option>
        ))}
      </select>
      <label for={`${id}e`}>Encoding</label>
      <select
        id={`${id}e`}
        value={reading.encoding}
        onChange={({ currentTarget }) => onReading({ ...reading, encoding: currentTarget.value as Encoding })}
      >
        {ENCODINGS.map((encoding) => (
          <option key={encoding} value={encoding}>
            {encoding === "windows-1252" ? "windows-1252 (Latin-1)" : encoding}
          </option>
        ))}
      </select>
      <label class="check">
        <input
          type="checkbox"
          checked={mapping.value.isDecimalComma}
          onChange={({ currentTarget }) => {
            mapping.value = { ...mapping.value, isDecimalComma: currentTarget.checked };
          }}
        />
        A comma is the decimal point
      </label>
      {names.length === 1 && (
        <p class="refused">There is one column only. If that is wrong, choose another separator.</p>
      )}
    </div>
  );
}

/** Each column on a line: its name, its role, and its first values. */
function Columns({ preview: { names, rows }, mapping }: OfMapping) {
  const set = (name: string, role: Role) => {
    const roles = new Map(mapping.value.roles);
    // Only one column says when a row happened.
    if (role === "time") for (const [other, each] of roles) if (each === "time") roles.set(other, "ignore");
    mapping.value = { ...mapping.value, roles: roles.set(name, role) };
  };
  const roleOf = (name: string) => mapping.value.roles.get(name) ?? "ignore";
  return (
    <DataTable
      caption="Columns of the file, with their first values"
      rows={names}
      keyOf={(name) => name}
      nothing="The file has no columns."
      columns={[
        {
          name: "name",
          title: "Column",
          isRowHeader: true,
          cell: (name) => (name === "" ? <span class="nothing">no name</span> : <b>{name}</b>),
        },
        {
          name: "role",
          title: "What it is",
          cell: (name) => (
            <select
              aria-label={`What ${name} is`}
              value={roleOf(name)}
              onChange={({ currentTarget }) => set(name, currentTarget.value as Role)}
            >
              {ROLES.map((role) => (
                <option key={role} value={role}>
                  {ROLE_WORDS[role]}
                </option>
              ))}
            </select>
          ),
        },
        {
          name: "values",
          title: "First values",
          cell: (name) => (
            <span class={roleOf(name) === "ignore" ? "left-column" : ""}>
              {rows
                .slice(0, SHOWN_ROWS)
                .map((cells) => String(cells[name] ?? "").slice(0, MAX_CELL) || "–")
                .join(" · ")}
            </span>
          ),
        },
      ]}
    />
  );
}

/** How rows become sequences. */
function Groups({ mapping }: Pick<OfMapping, "mapping">) {
  const id = useId();
  const groups = [...mapping.value.roles].filter(([, role]) => role === "group").map(([name]) => name);
  return (
    <>
      <p class="facts">
        A word becomes a symbol such as state=idle; a number falls into bins that are found in the file; rows of one
        group belong together.
      </p>
      <p class="how-read">
        <label for={id}>
          {groups.length === 0
            ? "Rows learned as one sequence"
            : `Rows with the same ${groups.join(" and ")} learned as one sequence, at most`}
        </label>
        <input
          id={id}
          type="number"
          min={2}
          max={MAX_ROWS}
          value={mapping.value.every}
          onInput={({ currentTarget }) => {
            mapping.value = { ...mapping.value, every: currentTarget.valueAsNumber };
          }}
        />
      </p>
    </>
  );
}

/** Undoes what the last import learned. */
function Undo({ processor }: { readonly processor: Processor }) {
  const learnt = learntBy(processor);
  const task: Task = useTask();
  const changes = learnt.value;
  const isEmpty = changes === undefined || (changes.models.size === 0 && changes.encoders.size === 0);
  const begin = () => {
    if (changes === undefined) return;
    task.begin({ label: "Undoing", done: 0, unit: "models" }, async (signal, report) => {
      await undo(processor, changes, { signal, report }).finally(() => {
        learnt.value = { ...changes };
      });
      return `What ${changes.file} had taught is forgotten.`;
    });
  };
  return (
    <div class="undo">
      {!isEmpty && (
        <p class="row">
          <button type="button" disabled={task.step.value !== undefined} onClick={begin}>
            Undo the import of {changes.file}
          </button>
          <span class="facts">
            {counted(changes.models.size, "model")}
            {changes.encoders.size > 0 && ` and ${counted(changes.encoders.size, "encoder")}`}; possible until this page
            is closed. <a href={linkTo({ view: "knowledge", path: ["models"], query: {} })}>See the models</a>
          </span>
        </p>
      )}
      <TaskState task={task} />
    </div>
  );
}

/** The origin of the threshold, in words. */
const THRESHOLDS = {
  threshold: "as it was set",
  per_day: "so that about one row a day passes",
  share: "so that about one row in 1,000 passes",
};

function Scored({ score }: { readonly score: Score }) {
  const { threshold, passing, incidents, odd } = score;
  return (
    <Section title="The most unusual rows">
      <p>
        {counted(passing, "row")} of {whole(score.rows)} {passing === 1 ? "has" : "have"} {short(threshold.bits)} bits
        or more, {THRESHOLDS[threshold.why]}: {counted(incidents, "incident")}.
      </p>
      <ol class="odd-rows" aria-label="The worst row of each incident">
        {odd.map((row) => (
          <Odd key={row.line} row={row} />
        ))}
      </ol>
    </Section>
  );
}

function Odd({ row: { line, time, group, bits, causes, expected, events } }: { readonly row: OddRow }) {
  const came = new Set(events.at(-1));
  const [instead] = expected.filter(({ symbol }) => !came.has(symbol));
  const before = keeping(events.slice(0, -1));
  return (
    <li>
      <span class="line">
        line {whole(line)}
        {group !== "" && ` · ${group}`}
      </span>
      <span class="facts">{time !== undefined && moment(MS_PER_SECOND * time)}</span>
      <span class="what">
        <b>
          {causes.length === 0
            ? "its course"
            : causes.slice(0, MAX_CAUSES).map(({ symbol, bits }) => (
                <Fragment key={symbol}>
                  <OddSymbol symbol={symbol} bits={bits} />{" "}
                </Fragment>
              ))}
        </b>
        {instead !== undefined && (
          <span class="facts">
            {" "}
            · expected {readable(instead.symbol)} ({chance(instead.probability)})
          </span>
        )}
      </span>
      <span class="bits" title={String(bits)}>
        {short(bits)} bits
      </span>
      {before.after !== undefined && events.length > 1 && (
        <a
          href={linkTo({
            view: "why",
            processor: currentProcessor.value?.id,
            session: undefined,
            path: ["surprise"],
            query: { ...before, event: JSON.stringify(events.at(-1)) },
          })}
        >
          Why?<span class="hidden"> line {line}</span>
        </a>
      )}
    </li>
  );
}
