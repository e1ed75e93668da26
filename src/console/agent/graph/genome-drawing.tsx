/** The graph of a genome, drawn: processors are boxes, manipulatives are hexagons, and numbers on edges are events. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Schemas } from "../../../client";
import { whole } from "../../parts/figures";
import { fullnessOf } from "./fullness";
import type { GenomeGraph, ManipulativeNode, ProcessorNode } from "./genome-graph";
import { type DrawnEdge, drawingOf, MANIPULATIVE_SIZE, type Point, PROCESSOR_SIZE } from "./graph-layout";

/** In a window this narrow, layers go from top to bottom. */
const NARROW_SCREEN = "(max-width: 40rem)";

export function GenomeDrawing({
  graph,
  told,
  usage,
}: {
  readonly graph: GenomeGraph;
  readonly told: readonly Schemas.ToldOthers[];
  readonly usage: readonly Schemas.ProcessorUsage[];
}) {
  const isNarrow = useNarrow();
  const drawing = useMemo(() => drawingOf(graph, isNarrow ? "TB" : "LR"), [graph, isNarrow]);
  const usageById = new Map(usage.map((one) => [one.id, one]));
  const manipulatives = new Map(graph.manipulatives.map((one) => [one.id, one]));
  const { processors } = graph;
  const label =
    `${processors.length} processors and ${graph.manipulatives.length} manipulatives. The tables below say the ` +
    `same.`;
  const nodeAt = (id: string) => drawing.nodes.get(id) ?? { x: 0, y: 0 };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section class="genome drawing" tabIndex={0} aria-label="The graph">
        <svg width={drawing.width} height={drawing.height} role="img" aria-label={label}>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" />
          </marker>
          {drawing.edges.map((edge) => (
            <Edge
              key={`${edge.from} ${edge.to}`}
              edge={edge}
              sender={told.find(({ id }) => id === manipulatives.get(edge.from)?.owner)}
              isCounted={manipulatives.has(edge.from)}
            />
          ))}
          {processors.map((node) => (
            <ProcessorBox key={node.id} node={node} at={nodeAt(node.id)} usage={usageById.get(node.id)} />
          ))}
          {graph.manipulatives.map((node) => (
            <ManipulativeHexagon key={node.id} node={node} at={nodeAt(node.id)} />
          ))}
        </svg>
      </section>
      <Legend hasManipulatives={graph.manipulatives.length > 0} />
    </>
  );
}

/** Whether the window is narrow now. */
function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW_SCREEN).matches);
  useEffect(() => {
    const query = matchMedia(NARROW_SCREEN);
    const follow = () => setNarrow(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isNarrow;
}

/** Shortens a text to a number of letters. */
function cut(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

/** Shortens a name in its middle: names that begin alike often end differently. */
function cutName(name: string, letters: number): string {
  if (name.length <= letters) return name;
  const end = Math.floor(letters / 3);
  return `${name.slice(0, letters - 1 - end)}…${name.slice(-end)}`;
}

const BAR = 64;

function ProcessorBox({
  node: { id, name, endpoint },
  at,
  usage,
}: {
  readonly node: ProcessorNode;
  readonly at: Point;
  readonly usage: Schemas.ProcessorUsage | undefined;
}) {
  const { width, height } = PROCESSOR_SIZE;
  const [left, top] = [at.x - width / 2, at.y - height / 2];
  const isBad = usage?.status === "failed";
  return (
    <g class={`processor ${endpoint === "" ? "" : "elsewhere"} ${isBad ? "failed" : ""}`}>
      <title>{endpoint === "" ? `${name} (${id})` : `${name} (${id}) at ${endpoint}`}</title>
      <rect class="outline" x={left} y={top} width={width} height={height} rx={10} />
      <text class="title" x={left + 12} y={top + 22}>
        {cutName(name, 20)}
      </text>
      {usage?.status === "okay" ? (
        fullnessOf(usage).map(({ what, share, short, full }, row) => (
          <g key={what} transform={`translate(${left + 12} ${top + 42 + 18 * row})`}>
            <title>{`${what}: ${full}`}</title>
            <text class="what">{what}</text>
            {share !== undefined && (
              <>
                <rect class="bar" x={width - 24 - BAR} y={-8} width={BAR} height={8} rx={2} />
                <rect
                  class={`share ${share >= 0.8 ? "high" : ""}`}
                  x={width - 24 - BAR}
                  y={-8}
                  width={Math.max(1, BAR * share)}
                  height={8}
                  rx={2}
                />
              </>
            )}
            <text class="value" x={share === undefined ? width - 24 : width - 30 - BAR} text-anchor="end">
              {cut(short, share === undefined ? 18 : 8)}
            </text>
          </g>
        ))
      ) : (
        <text class="what" x={left + 12} y={top + 46}>
          {stateOf(usage, endpoint)}
        </text>
      )}
    </g>
  );
}

function stateOf(usage: Schemas.ProcessorUsage | undefined, endpoint: string): string {
  if (endpoint !== "") return "runs elsewhere";
  if (usage === undefined) return "…";
  return usage.status === "unused" ? "not used yet" : "does not answer";
}

function ManipulativeHexagon({ node: { id, fields }, at }: { readonly node: ManipulativeNode; readonly at: Point }) {
  const { width, height } = MANIPULATIVE_SIZE;
  const [left, right, top, bottom] = [at.x - width / 2, at.x + width / 2, at.y - height / 2, at.y + height / 2];
  const corners = [
    [left, at.y],
    [left + 10, top],
    [right - 10, top],
    [right, at.y],
    [right - 10, bottom],
    [left + 10, bottom],
  ];
  return (
    <g class="manipulative">
      <title>{`${id} sends ${fields.join(", ")}`}</title>
      <polygon points={corners.map((corner) => corner.join(",")).join(" ")} />
      <text class="title" x={at.x} y={at.y - 3} text-anchor="middle">
        {cutName(id, 13)}
      </text>
      <text class="what" x={at.x} y={at.y + 13} text-anchor="middle">
        {cut(fields.join(", "), 16)}
      </text>
    </g>
  );
}

function Edge({
  edge: { from, to, points, label },
  sender,
  isCounted,
}: {
  readonly edge: DrawnEdge;
  readonly sender: Schemas.ToldOthers | undefined;
  /** Whether it leads to a processor, where events are counted. */
  readonly isCounted: boolean;
}) {
  const link = sender?.links.find(({ manipulative, processor }) => manipulative === from && processor === to);
  const waits = sender !== undefined && sender.waits_for === to && sender.waiting !== null ? sender.waiting : 0;
  const first = useRef(link?.delivered);
  if (first.current === undefined) first.current = link?.delivered;
  const hasMoved = link !== undefined && link.delivered !== first.current;
  const text = link === undefined ? "–" : whole(link.delivered);
  const half = waits > 0 ? 36 : 28;
  return (
    // A new key with each count restarts the flash.
    <g key={link?.delivered ?? "none"} class={`edge ${hasMoved ? "moved" : ""} ${waits > 0 ? "stuck" : ""}`}>
      <path d={pathOf(points)} marker-end="url(#arrow)" />
      {isCounted && (
        <>
          <title>{`${text} events delivered${waits > 0 ? `, ${whole(waits)} wait` : ""}`}</title>
          <rect x={label.x - half} y={label.y - 10} width={2 * half} height={20} rx={10} />
          <text x={label.x} y={label.y + 4} text-anchor="middle">
            {waits > 0 ? `${cut(text, 7)} + ${cut(whole(waits), 7)}` : cut(text, 9)}
          </text>
        </>
      )}
    </g>
  );
}

/**
 * A smooth line through all points, one of which is the middle of the label: a Catmull-Rom spline with shorter
 * tangents, so that it bends less.
 */
function pathOf(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.min(Math.max(index, 0), points.length - 1)] ?? { x: 0, y: 0 };
  const curves = points.slice(1).map((end, index) => {
    const [before, start, after] = [at(index - 1), at(index), at(index + 2)];
    const [x1, y1] = [start.x + (end.x - before.x) / 9, start.y + (end.y - before.y) / 9];
    const [x2, y2] = [end.x - (after.x - start.x) / 9, end.y - (after.y - start.y) / 9];
    return `C${x1} ${y1} ${x2} ${y2} ${end.x} ${end.y}`;
  });
  return `M${at(0).x} ${at(0).y}${curves.join("")}`;
}

function Legend({ hasManipulatives }: { readonly hasManipulatives: boolean }) {
  return (
    <ul class="shape-legend drawing" aria-label="What the shapes mean">
      <li>
        <svg class="processor" width={26} height={16} aria-hidden="true">
          <rect class="outline" x={1} y={1} width={24} height={14} rx={4} />
        </svg>
        processor, with how full it is
      </li>
      {hasManipulatives && (
        <>
          <li>
            <svg class="manipulative" width={26} height={16} aria-hidden="true">
              <polygon points="1,8 5,1 21,1 25,8 21,15 5,15" />
            </svg>
            manipulative, with what it sends
          </li>
          <li>
            <svg class="edge" width={34} height={16} aria-hidden="true">
              <rect x={1} y={1} width={32} height={14} rx={7} />
              <text x={17} y={12} text-anchor="middle">
                17
              </text>
            </svg>
            events delivered; + 3 if 3 are waiting
          </li>
        </>
      )}
    </ul>
  );
}
