import { type Document, isScalar, parseDocument, visit } from 'yaml'
import { unprocessable } from '#lib/problem.ts'

/**
 * Far more than any egg has, and few enough for the parser, which runs in the main thread, where all other
 * requests wait for it. The largest public egg has some hundred keys, and is nested four deep.
 */
const MAX_LENGTH = 150_000
const MAX_LINES = 5000
const MAX_LINE = 8000
const MAX_ENTRIES = 2500
/** What may begin an entry of a map or a list, at any position; scripts contain some of these too. */
const ENTRY = /[[{,]|[:?-](?=\s|$)/g
const DEEP = /^ *(?:[-?:] +){20}|^ {200}/m
/** A picture of the game, which may be large, but costs the parser nothing. */
const PICTURE = /data:image\/[\w.+-]+;base64,[\w+/=]*/g

/** The parsed content of a JSON or YAML file. Throws 422 `egg_file_unreadable`. */
export function parsedFile(file: string): unknown {
  const text = file.replace(/^\uFEFF/, '')
  return /^\s*[[{]/.test(text) ? fromJson(text) : fromYaml(text)
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable('The file is not valid JSON.')
  }
}

/** Plain YAML: no types of programming languages, and no references that grow when they are resolved. */
function fromYaml(text: string): unknown {
  if (isBeyondMeasure(text.replace(PICTURE, '')))
    throw unreadable('The file has more keys or text, or is nested deeper, than an egg may be.')
  try {
    // The parser would compare each key with all others of its map.
    const document = parseDocument(text, { schema: 'core', merge: false, uniqueKeys: false })
    const [fault] = [...document.errors, ...document.warnings]
    if (fault) throw fault
    assertUniqueKeys(document)
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    throw unreadable('The file is neither JSON nor plain YAML.')
  }
}

function isBeyondMeasure(text: string): boolean {
  const lines = text.split(/[\r\n]/)
  const entries = text.match(ENTRY)?.length ?? 0
  return (
    text.length > MAX_LENGTH ||
    lines.length > MAX_LINES ||
    lines.some(({ length }) => length > MAX_LINE) ||
    entries > MAX_ENTRIES ||
    DEEP.test(text)
  )
}

/** Throws if a map contains a key twice, or a key that is not a plain value. */
function assertUniqueKeys(document: Document): void {
  visit(document, {
    Map(_key, { items }) {
      const keys = new Set(items.map(({ key }) => (isScalar(key) ? String(key.value) : null)))
      if (keys.size < items.length || keys.has(null)) throw new Error('A key is not unique.')
    },
  })
}

function unreadable(message: string) {
  return unprocessable(message, 'egg_file_unreadable')
}
