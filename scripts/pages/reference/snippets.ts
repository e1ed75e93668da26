/**
 * The example of an operation as code to copy: in curl, TypeScript, Python with the client, and Python without. Knows no
 * HTML.
 */

import pretty from "json-stringify-pretty-compact";
import { pythonExpression, pythonLiteral } from "../../openapi/clients/python-names";
import type { ClientCall } from "../../openapi/operation-calls";
import type { Call, Json } from "../../openapi/reference/entry";

/** Code in one language. */
export interface Snippet {
  /** The language as people call it. */
  readonly title: string;
  /** What tells it from the others: its name in Markdown, or the library. */
  readonly language: "python" | "sh" | "ts" | "urllib";
  readonly code: string;
}

/**
 * The address and the key in snippets: those of `npm start`. The page puts the address where it was found in its place.
 */
export const ADDRESS = "http://127.0.0.1:8787";
export const KEY = "ABCD-1234";

const WIDTH = 68;

/** A JSON string, with a colon behind it if it is the name of a member; or a word. */
const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|\b(?:true|false|null)\b/g;

/** A string, or a brace with an object's member on the same line. */
const BRACE = /"(?:[^"\\]|\\.)*"|\{(?=[^\s}])|(?<=[^\s{])\}/g;

const BRACES: { readonly [brace: string]: string } = { "{": "{ ", "}": " }" };

/** The functions that resolve to a stream. */
const STREAMS: readonly string[] = ["exportKnowledgeBase"];

function typescriptLiteral(value: Json): string {
  return pretty(value, { maxLength: WIDTH })
    .replace(TOKEN, (text, name, colon) =>
      colon !== undefined && /^[A-Za-z_]\w*$/.test(name) ? `${name}${colon}` : text,
    )
    .replace(BRACE, (text) => BRACES[text] ?? text);
}

function indented(text: string, by = "    "): string {
  return text.replaceAll("\n", `\n${by}`);
}

/** Text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curl({ method, path, body }: Call, needsKey: boolean): string {
  // With a body, curl sends POST by itself.
  const usual = body === undefined ? "GET" : "POST";
  const url = `${ADDRESS}${path}`;
  return [
    `curl ${method === usual ? "" : `-X ${method} `}${/[?&|;]/.test(url) ? quoted(url) : url}`,
    ...(needsKey ? [`-H 'X-API-KEY: ${KEY}'`] : []),
    ...(body === undefined ? [] : [`-d ${quoted(pretty(body, { maxLength: WIDTH }))}`]),
  ].join(" \\\n  ");
}

function typescript({ name, place, args }: ClientCall): string {
  const imports = place === "noema" ? ["connect", name] : ["connect", "processor", name];
  const literals = args.map(typescriptLiteral);
  const connection = `const noema = connect({ address: "${ADDRESS}", key: "${KEY}" });`;
  const call = `await ${name}(${[place, ...literals].join(", ")})`;
  const result = STREAMS.includes(name) ? `await new Response(${call}).text()` : call;
  return [
    `import { ${imports.sort().join(", ")} } from "noema/client";`,
    "",
    connection,
    ...(place === "noema" ? [] : [`const p1 = processor(noema, "p46b6b076c");`]),
    `console.log(${result});`,
  ].join("\n");
}

function python(call: ClientCall): string {
  return [
    "from noema_agent import connect",
    "",
    `noema = connect("${ADDRESS}", "${KEY}")`,
    ...(call.place === "noema" ? [] : ['p1 = noema.processor("p46b6b076c")']),
    `print(${pythonExpression(call, WIDTH)})`,
  ].join("\n");
}

function urllib({ method, path, body }: Call, { needsKey, isJson }: Kind): string {
  return [
    ...(isJson || body !== undefined ? ["import json"] : []),
    "from urllib.request import Request, urlopen",
    "",
    "request = Request(",
    `    "${ADDRESS}${path}",`,
    ...(method === "GET" && body === undefined ? [] : [`    method="${method}",`]),
    ...(needsKey ? [`    headers={"X-API-KEY": "${KEY}"},`] : []),
    ...(body === undefined ? [] : [`    data=json.dumps(${indented(pythonLiteral(body, WIDTH))}).encode(),`]),
    ")",
    // It throws where the status says that the call failed.
    ...(isJson
      ? ["answer = json.load(urlopen(request))", ...failureIn(path), "print(answer)"]
      : ["print(urlopen(request).read().decode())"]),
  ].join("\n");
}

/** What recognises a failure in an answer whose HTTP status is that of success. */
function failureIn(path: string): string[] {
  // Some answers, such as an export, have no status.
  if (!/\/genes?\//.test(path)) {
    return ['if answer.get("status") == "failed":', '    raise RuntimeError(answer["message"])'];
  }
  // The interface calls it okay when a gene was not accepted.
  return [
    'if answer["status"] == "failed" or answer["message"] == "faulty-genes-provided":',
    '    raise RuntimeError(answer.get("detail", answer["message"]))',
  ];
}

/** What kind of a call it is. */
interface Kind {
  readonly needsKey: boolean;
  /** Whether the answer is JSON. */
  readonly isJson: boolean;
}

/**
 * The snippets of a call.
 *
 * @param client the same call by `noema/client`, if that has a function for it
 */
export function snippetsOf(request: Call, client: ClientCall | undefined, kind: Kind): Snippet[] {
  const ofClients: Snippet[] =
    client === undefined
      ? []
      : [
          { title: "TypeScript", language: "ts", code: typescript(client) },
          { title: "Python", language: "python", code: python(client) },
        ];
  return [
    { title: "curl", language: "sh", code: curl(request, kind.needsKey) },
    ...ofClients,
    { title: "urllib", language: "urllib", code: urllib(request, kind) },
  ];
}
