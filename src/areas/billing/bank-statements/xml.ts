import { timeSlices } from '#platform/time-slices.ts'

/** An element of a document: its name without the prefix, and the text directly inside it. */
export type Element = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
  text: string
}

/** A text is not valid XML; the message says where. */
export class XmlError extends Error {}

/** Deeper than any bank statement is nested. */
const DEEPEST = 60
/** Longer than any text in a bank statement. */
const LONGEST = 100_000

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
}
const TAG =
  /<(\/?)(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')){0,50})\s*(\/?)>/y
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const SKIPPED: readonly (readonly [begin: string, end: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
]
const CDATA = '<![CDATA['

/**
 * Reads a document without a DTD, so that it cannot refer to anything outside, and returns its root.
 * Throws an XmlError for a text that is not well-formed.
 */
export async function readXml(text: string): Promise<Element> {
  const slice = timeSlices()
  const top: Element = { name: '', attributes: new Map(), children: [], text: '' }
  const open: Element[] = [top]
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    await slice()
    const here = open.at(-1) ?? top
    if (text[at] !== '<') {
      const end = text.indexOf('<', at)
      const upTo = end === -1 ? text.length : end
      here.text += unescaped(text.slice(at, upTo), at)
      at = upTo
    } else if (text.startsWith(CDATA, at)) {
      const end = endOf(text, ']]>', at)
      here.text += text.slice(at + CDATA.length, end - 3)
      at = end
    } else {
      const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at))
      at = skipped ? endOf(text, skipped[1], at) : readTag(text, at, open)
    }
  }
  const [root] = top.children
  if (open.length !== 1) throw new XmlError(`<${open.at(-1)?.name}> has no end`)
  if (!root || top.children.length > 1) throw new XmlError('there is not one root element')
  return root
}

function readTag(text: string, at: number, open: Element[]): number {
  TAG.lastIndex = at
  const [whole, closing, name = '', attributes = '', empty] = TAG.exec(text) ?? []
  if (whole === undefined) throw new XmlError(`there is no tag at character ${at}`)
  if (closing) {
    const ended = open.pop()
    if (open.length === 0 || ended?.name !== name) {
      throw new XmlError(`</${name}> at character ${at} ends nothing`)
    }
    return at + whole.length
  }
  const element: Element = {
    name,
    attributes: attributesIn(attributes, at),
    children: [],
    text: '',
  }
  open.at(-1)?.children.push(element)
  if (!empty) open.push(element)
  if (open.length > DEEPEST) throw new XmlError('its elements are nested too deep')
  return at + whole.length
}

function attributesIn(text: string, at: number): Map<string, string> {
  const found = [...text.matchAll(ATTRIBUTE)].map(
    ([, name = '', double, single]) => [name, unescaped(double ?? single ?? '', at)] as const,
  )
  return new Map(found)
}

function endOf(text: string, end: string, at: number): number {
  const found = text.indexOf(end, at)
  if (found === -1) throw new XmlError(`what begins at character ${at} has no end`)
  return found + end.length
}

function unescaped(text: string, at: number): string {
  if (text.length > LONGEST) throw new XmlError(`the text at character ${at} is too long`)
  return text.replace(/&([^;&\s]{0,10});?/g, (whole, name: string) => {
    const known = ENTITIES[name]
    if (known !== undefined && whole.endsWith(';')) return known
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? []
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    const isSign = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)
    if (isSign && whole.endsWith(';')) return String.fromCodePoint(code)
    throw new XmlError(`${whole} near character ${at} is no entity of XML`)
  })
}

/** The first element along a path; undefined if there is none. */
export function first(element: Element, ...path: readonly string[]): Element | undefined {
  let here: Element | undefined = element
  for (const name of path) here = here?.children.find((it) => it.name === name)
  return here
}

/** All children with a name. */
export function all(element: Element | undefined, name: string): readonly Element[] {
  return element?.children.filter((it) => it.name === name) ?? []
}

/** The text along a path, without the space around it; undefined if there is none. */
export function textAt(element: Element, ...path: readonly string[]): string | undefined {
  return first(element, ...path)?.text.trim() || undefined
}
