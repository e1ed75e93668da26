/** Saves data as a file through the browser. */

/** Offers bytes as a download. @param name of the file */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The current time for a file name, such as `2026-11-22-0745`. */
export function stampOfNow(): string {
  return new Date().toISOString().slice(0, 16).replace("T", "-").replace(":", "");
}
