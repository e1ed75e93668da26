/**
 * Follows links to parts of the reference from the time when it was a single page, at /docs: the line of its list that
 * has the part's id leads there. Without a script, a reader sees that line.
 */

/** Goes to the part that the address names, now and whenever it changes. */
export function followMoved(): void {
  follow();
  addEventListener("hashchange", follow);
}

function follow(): void {
  const id = location.hash.slice(1);
  if (id === "") return;
  // Members of a schema, such as Prediction.snr, have no line of their own.
  const line = document.getElementById(id) ?? document.getElementById(`schema-${id.split(".")[0]}`);
  const link = line?.matches(".operations > li, .names > li") ? line.querySelector("a") : null;
  if (link) location.replace(link.pathname + location.hash);
}
