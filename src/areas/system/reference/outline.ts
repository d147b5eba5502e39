import { type Html, html } from '#platform/pages/html.ts'

type Operation = { readonly summary?: string; readonly tags?: readonly string[] }
type Outlined = {
  readonly tags?: readonly { readonly name: string }[]
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Every operation of the API document with its summary, by tag: what a reader sees until the program of the
 * reference has started, and without scripts.
 */
export function outlineOf({ tags = [], paths = {} }: Outlined): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { summary = '', tags: [tag] = [] } = operation as Operation
      return { tag, summary, call: `${method.toUpperCase()} ${path}` }
    }),
  )
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  return html`<h1>Moorage</h1>${tags.map(({ name }) => {
    const rows = byTag.get(name) ?? []
    return html`<h2>${name}</h2><dl>${rows.map(
      ({ call, summary }) => html`<dt><code>${call}</code></dt><dd>${summary}</dd>`,
    )}</dl>`
  })}`
}
