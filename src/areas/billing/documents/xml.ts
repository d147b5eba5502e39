/** An element of an XML document. */
export type Xml = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Text, or the child elements. */
  readonly content: string | readonly Xml[]
}

type Part = Xml | null | readonly (Xml | null)[]

/** An element that contains text; null without text, for no element may be empty. */
export function leaf(
  name: string,
  text: string | null,
  attributes: Readonly<Record<string, string>> = {},
): Xml | null {
  const content = text === null ? '' : plainText(text)
  return content === '' ? null : { name, attributes, content }
}

/** An element that contains elements, in order; null if there are none. */
export function branch(name: string, ...parts: readonly Part[]): Xml | null {
  const content = parts.flat().filter((it) => it !== null)
  return content.length === 0 ? null : { name, attributes: {}, content }
}

/** A document in UTF-8. `attributes` of the root are its namespaces. */
export function xmlDocument(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...parts: readonly Part[]
): string {
  const content = parts.flat().filter((it) => it !== null)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written({ name, attributes, content }, '')}\n`
}

/**
 * A text as it may stand in XML 1.0: characters that XML does not allow are removed, lone
 * surrogates become U+FFFD, and space around the text is removed.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, '').trim()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to leave out
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would turn it into a plain line break.
  '\r': '&#13;',
}

/** A text in which all characters with a meaning in XML are escaped. */
export function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (it) => ESCAPES[it] ?? it)
}

function written({ name, attributes, content }: Xml, indent: string): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const start = `${indent}<${name}${pairs.join('')}>`
  if (typeof content === 'string') return `${start}${escaped(content)}</${name}>`
  const inside = content.map((it) => written(it, `${indent}  `)).join('\n')
  return `${start}\n${inside}\n${indent}</${name}>`
}
