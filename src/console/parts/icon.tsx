/** Small pictures next to words with the same meaning. */

/** The path of Noema's mark. */
export const MARK_PATH = "/docs/mark.svg";

/** The lines of each picture, in a square of 16. */
const LINES = {
  home: "M2 7.5 8 2.5l6 5V13.5H10V9.5H6v4H2z",
  incidents: "M8 2 14.5 13.5H1.5zM8 6.5v3M8 11.5v.1",
  devices: "M2 3h12v8H2zM5.5 13.5h5M4 8h2l1.5-2.5L9 9l1-1h2",
  knowledge: "M3 2.5h8.5a1.5 1.5 0 0 1 1.5 1.5v9.5H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5H13",
  agent: "M5.5 3.5h5v3h-5zM1.5 10h4v3h-4zM10.5 10h4v3h-4zM8 6.5v2M3.5 10V8.5h9V10",
  operate: "M2 13.5v-5M6 13.5v-10M10 13.5v-7M14 13.5V5",
  docs: "M4 1.5h5.5L12.5 4.5v10h-8.5zM9.5 1.5v3h3M6 8h4.5M6 11h4.5",
  more: "M3.5 8v.1M8 8v.1M12.5 8v.1",
  leave: "M6 2.5H2.5v11H6M10 5l3 3-3 3M13 8H6",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5l3.5 3.5",
} as const;

/** The names of the pictures. */
export type IconName = keyof typeof LINES;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={LINES[name]} />
    </svg>
  );
}
