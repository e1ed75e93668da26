/** Makes elements. Knows no particular page. */

/**
 * What an element may be given: attributes by name. `true` sets an attribute without a value; `false` and
 * `undefined` leave it out.
 */
type Attributes = { readonly [name: string]: string | boolean | undefined };

/**
 * Makes an element.
 *
 * @param inside texts and elements; texts are never read as HTML
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(attribute, value === true ? "" : value);
  }
  made.append(...inside);
  return made;
}

/** Makes a button that does something. */
export function button(text: string, attributes: Attributes, onClick: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", onClick);
  return made;
}
