// @ts-check
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Which lines of which sources a file was made of. `starts` has for each of its lines the number of its
 * first place; of each place there are its column, the number of its source, and the line there.
 * @typedef {object} Lines
 * @property {string[]} sources
 * @property {Uint32Array} starts
 * @property {Int32Array} places
 */

const NUMBERS = 3

/**
 * Has the traces of errors name the sources that a bundle was made of. Node would do it too, but reads
 * every map at the start for it; here one is read when the first error asks for it.
 * @param {string} folder The bundle's.
 */
export function nameSources(folder) {
  /** @type {Map<string, Lines | null>} */
  const known = new Map()
  /** @param {string} file */
  function linesOf(file) {
    if (path.dirname(file) !== folder) return null
    const kept = known.get(file)
    if (kept !== undefined) return kept
    const lines = readLines(`${file}.map`)
    known.set(file, lines)
    return lines
  }
  Error.prepareStackTrace = (error, calls) =>
    [titleOf(error), ...calls.map((call) => `    at ${named(call, linesOf)}`)].join('\n')
}

/** @param {Error} error */
function titleOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return '<error>'
  }
}

/**
 * @param {NodeJS.CallSite} call
 * @param {(file: string) => Lines | null} linesOf
 */
function named(call, linesOf) {
  const text = String(call)
  const url = call.getFileName()
  const line = call.getLineNumber()
  const column = call.getColumnNumber()
  if (!url?.startsWith('file:') || !line || !column) return text
  const lines = linesOf(fileURLToPath(url))
  const place = lines && placeIn(lines, line - 1, column - 1)
  return place ? text.replace(`${url}:${line}:${column}`, place) : text
}

/**
 * The last place of the line that begins at the column or before it.
 * @param {Lines} lines
 * @param {number} line
 * @param {number} column
 */
function placeIn({ sources, starts, places }, line, column) {
  let found = -1
  for (let at = starts[line] ?? 0; at < (starts[line + 1] ?? 0); at += 1) {
    if ((places[at * NUMBERS] ?? 0) > column) break
    found = at
  }
  const source = sources[places[found * NUMBERS + 1] ?? -1]
  return source ? `${source}:${(places[found * NUMBERS + 2] ?? 0) + 1}` : null
}

/**
 * @param {string} file A source map (ECMA-426).
 * @returns {Lines | null} Null where there is none.
 */
function readLines(file) {
  try {
    /** @type {{ sources: string[], mappings: string }} */
    const { sources, mappings } = JSON.parse(fs.readFileSync(file, 'utf8'))
    const folder = path.dirname(file)
    return { sources: sources.map((it) => path.join(folder, it)), ...decoded(mappings) }
  } catch {
    return null
  }
}

const [COMMA, SEMICOLON] = [44, 59]
/** What each character is as a digit, the highest bit of which says that more follow. */
const DIGITS = new Uint8Array(128)
for (let value = 0; value < 64; value += 1) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  DIGITS[alphabet.charCodeAt(value)] = value
}
const [MORE, BITS] = [32, 5]

/** @param {string} mappings */
function decoded(mappings) {
  const starts = [0]
  /** @type {number[]} */
  const places = []
  // Column, source, line there: each is written as the difference to the one before.
  let [column, source, line] = [0, 0, 0]
  let [field, value, shift] = [0, 0, 0]
  for (let at = 0; at <= mappings.length; at += 1) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : SEMICOLON
    if (code !== COMMA && code !== SEMICOLON) {
      const digit = DIGITS[code] ?? 0
      value += (digit & (MORE - 1)) << shift
      shift += BITS
      if (digit & MORE) continue
      const difference = value & 1 ? -(value >> 1) : value >> 1
      if (field === 0) column += difference
      else if (field === 1) source += difference
      else if (field === 2) line += difference
      field += 1
      value = shift = 0
      continue
    }
    const isFirst = places.length === (starts.at(-1) ?? 0) * NUMBERS
    const isNew = isFirst || places.at(-2) !== source || places.at(-1) !== line
    if (field > 2 && isNew) places.push(column, source, line)
    field = 0
    if (code === SEMICOLON) {
      starts.push(places.length / NUMBERS)
      column = 0
    }
  }
  return { starts: Uint32Array.from(starts), places: Int32Array.from(places) }
}
