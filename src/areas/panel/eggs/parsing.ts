import { parseDocument } from 'yaml'
import { unprocessable } from '#lib/problem.ts'

/**
 * Far more than any egg has, and few enough for the parser: it takes seconds for what is nested
 * thousands deep, and everybody else would wait for it.
 */
const MAX_LENGTH = 150_000
const MAX_LINES = 5000
const MAX_LINE = 8000
const MAX_BRACKETS = 2000
const MANY_IN_A_LINE = /^ *(?:[-?:] +){20}/m
/** A picture of the game, which may be large, and is nothing to a parser. */
const PICTURE = /data:image\/[\w.+-]+;base64,[\w+/=]*/g

/** What stands in a file of JSON or YAML. Throws 422 `egg_file_unreadable`. */
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

/** Plain YAML: nothing of other languages, and no references that grow when they are followed. */
function fromYaml(text: string): unknown {
  if (isBeyondMeasure(text.replace(PICTURE, '')))
    throw unreadable('The file has more in it than any egg.')
  try {
    const document = parseDocument(text, { schema: 'core', merge: false })
    const [fault] = [...document.errors, ...document.warnings]
    if (fault) throw fault
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    throw unreadable('The file is neither JSON nor plain YAML.')
  }
}

function isBeyondMeasure(text: string): boolean {
  const lines = text.split(/[\r\n]/)
  const brackets = text.match(/[[{]/g)?.length ?? 0
  return (
    text.length > MAX_LENGTH ||
    lines.length > MAX_LINES ||
    lines.some(({ length }) => length > MAX_LINE) ||
    brackets > MAX_BRACKETS ||
    MANY_IN_A_LINE.test(text)
  )
}

function unreadable(message: string) {
  return unprocessable(message, 'egg_file_unreadable')
}
