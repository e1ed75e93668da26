/**
 * The mark of Noema: two events, and the one that comes next. It is the icon of all pages.
 */

/** Where the mark is. */
export const MARK_PATH = "/docs/mark.svg";

/** The mark as SVG, legible at 16 pixels on light and on dark. */
export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><g fill="#fff"><circle cx="7.5" cy="21" r="3"/><circle cx="14.5" cy="16" r="3"/></g><circle cx="23" cy="10" r="4" fill="none" stroke="#fff" stroke-width="2.5"/></svg>
`;

/** The element that names the mark as a page's icon. */
export const ICON = `<link rel="icon" type="image/svg+xml" href="${MARK_PATH}">`;
