/** Code as HTML, with spans for what has a colour; `undefined` when the language is not known here. */
export declare function coloured(code: string, language: string): string | undefined;
