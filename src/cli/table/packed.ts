/** Recognizes files that are not text but that people mistake for tables, by their first bytes. */

/** The first bytes of such files, and what to do about them. */
const PACKED_FORMATS: readonly { readonly mark: readonly number[]; readonly message: string }[] = [
  {
    mark: [0x50, 0x4b, 0x03, 0x04],
    message: "the file is a ZIP archive, as workbooks of spreadsheets are; save the table as CSV, or unpack it",
  },
  {
    mark: [0x50, 0x41, 0x52, 0x31],
    message: "the file is Parquet; write the table as CSV, or as lines of JSON",
  },
];

const GZIP = [0x1f, 0x8b];

function begins(first: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => first[at] === byte);
}

/** Whether the first bytes are those of a gzip file. */
export function isGzip(first: Uint8Array): boolean {
  return begins(first, GZIP);
}

/** @throws Error that says what the file is and what to do, if its first bytes are those of another kind of file */
export function assertNoOther(first: Uint8Array): void {
  const other = PACKED_FORMATS.find(({ mark }) => begins(first, mark));
  if (other !== undefined) throw new Error(other.message);
}
