import assert from 'node:assert/strict'

/** An element that was read: names with their prefix, text without what is inside. */
export type Element = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
  text: string
}

const ENTITIES = new Map<string, string>([
  ...([
    ['amp', '&'],
    ['lt', '<'],
    ['gt', '>'],
  ] as const),
  ...([
    ['quot', '"'],
    ['apos', "'"],
  ] as const),
])
const TAG = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/y

/**
 * Reads an XML document without DTDs, comments and sections, and fails on one that is not
 * well-formed. It shares nothing with what writes them.
 */
export function readXml(text: string): Element {
  assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  assert.ok(text.isWellFormed(), 'no halves of characters')
  const top: Element = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [top]
  let at = text.indexOf('?>') + 2
  while (at < text.length) {
    const inside = open.at(-1)
    assert.ok(inside)
    const next = text.indexOf('<', at)
    const end = next < 0 ? text.length : next
    inside.text += unescaped(text.slice(at, end))
    at = end
    if (next < 0) break
    TAG.lastIndex = at
    const [whole, closing, name = '', attributes = '', single] = TAG.exec(text) ?? []
    assert.ok(whole, `not a tag: ${text.slice(at, at + 40)}`)
    at += whole.length
    if (closing) {
      assert.equal(open.pop()?.name, name)
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' }
      inside.children.push(element)
      if (!single) open.push(element)
    }
  }
  assert.equal(open.length, 1, 'everything is closed')
  const [root, ...others] = top.children
  assert.ok(root && others.length === 0, 'there is one root')
  return root
}

function attributesOf(text: string): Map<string, string> {
  const found = [...text.matchAll(/([\w:.-]+)="([^"]*)"/g)]
  const attributes = new Map(found.map(([, name = '', value = '']) => [name, unescaped(value)]))
  assert.equal(attributes.size, found.length, 'no attribute twice')
  return attributes
}

function unescaped(text: string): string {
  assert.doesNotMatch(text, />/)
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const character = /^#\d+$/.test(name)
      ? String.fromCodePoint(Number(name.slice(1)))
      : ENTITIES.get(name)
    assert.ok(character !== undefined && whole.endsWith(';'), `not an entity: ${whole}`)
    return character
  })
}

/** The elements at a path below another: `ram:A/ram:B`. */
export function all(element: Element, path: string): Element[] {
  return path
    .split('/')
    .reduce(
      (found, name) => found.flatMap((it) => it.children.filter((child) => child.name === name)),
      [element],
    )
}

/** The text at a path; null where there is nothing. Fails when there are several. */
export function textAt(element: Element, path: string): string | null {
  const found = all(element, path)
  assert.ok(found.length <= 1, `${path} is there ${found.length} times`)
  return found[0]?.text ?? null
}

/** All elements of a document, whatever their place. */
export function everyElement(element: Element): Element[] {
  return [element, ...element.children.flatMap(everyElement)]
}
