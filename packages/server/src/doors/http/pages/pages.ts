// Pages for people, plain HTML without scripts: what this is, and the API as a page that can be read.

import type { Problem } from "../contract/common.ts"
import type { OpenApiDocument, Operation } from "../contract/openapi.ts"

/** The page at the root, as long as there is no application there. */
export function landingPage(dataset: string): Response {
  return htmlPage(
    "Dosimeter",
    `<h1>Dosimeter</h1>
<p>This server answers questions about the dataset <b>${escape(dataset)}</b>: about the group, never about
one person. Each answer has noise that hides everybody in it, and is charged to a budget that the owner of
the data has set.</p>
<ul>
<li><a href="/transparency">What the data is used for</a>: studies, doses and releases, for everybody</li>
<li><a href="/api">The HTTP API</a>, and the same <a href="/openapi.json">as an OpenAPI document</a></li>
<li><a href="/healthz">Does it live?</a> <a href="/readyz">Is it ready?</a></li>
</ul>
<p>Clients of PostgreSQL come in by another port, with the same names and passwords.</p>`,
  )
}

/** The API as a page. */
export function apiPage({ paths }: OpenApiDocument): Response {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))]
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag))
    return `<h2 id="${escape(tag)}">${escape(tag)}</h2>\n${own.map(operationHtml).join("\n")}`
  })
  return htmlPage(
    "Dosimeter: the HTTP API",
    `<h1>The HTTP API</h1>
<p>Programs send a token: <code>Authorization: Bearer TOKEN</code>. Browsers have a session's cookie and send
<code>X-CSRF-Token</code> with changes. Amounts are decimal texts; lists come in pages (<code>after</code>,
<code>limit</code>); whatever goes wrong is <code>{code, message, help, position}</code>. For programs:
<a href="/openapi.json">openapi.json</a>.</p>
<nav>${tags.map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join(" ")}</nav>
${sections.join("\n")}`,
  )
}

/** What went wrong, for a person in a browser. */
export function problemPage({ message, help, code }: Problem, status: number): Response {
  const body = `<h1>That did not work</h1>
<p>${escape(message)} (${escape(code)}).</p>
<p>${escape(help ?? "")}</p>
<p><a href="/">To the beginning</a></p>`
  return htmlPage("Dosimeter", body, status)
}

function operationHtml({
  path,
  method,
  operation,
}: {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}): string {
  const parts = Object.entries(operation)
    .filter(([name]) => ["parameters", "requestBody", "responses"].includes(name))
    .map(
      ([name, value]) =>
        `<h4>${names[name] ?? name}</h4><pre>${escape(JSON.stringify(value, null, 2))}</pre>`,
    )
  return `<details><summary><code>${method} ${escape(path)}</code> ${escape(operation.summary)}</summary>
<p>${escape(operation.description)}</p>
${parts.join("\n")}</details>`
}

const names: Readonly<Record<string, string>> = {
  parameters: "In path, query and headers",
  requestBody: "Body",
  responses: "Replies",
}

/** A page in our frame: readable on a phone and on a desk, by day and by night. */
export function htmlPage(title: string, body: string, status = 200): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 0.875rem/1.4 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
pre { padding: 0.75rem; border: 1px solid #8884; border-radius: 6px; }
summary { cursor: pointer; padding: 0.25rem 0; }
h2 { margin-top: 2rem; }
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
  return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } })
}

/** A text inside HTML. */
export function escape(text: string): string {
  const signs: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  }
  return text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? "")
}
