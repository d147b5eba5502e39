import { types } from 'pg'
import { type Instant, instant } from '#lib/time.ts'

const BIGINT = 20
const TEXT = 25
const DATE = 1082
const TEXTS = 1009
/** PostgreSQL's type number (OID) for instants. */
export const TIMESTAMP_WITH_ZONE = 1184
const UUID = 2950

type Parser = (text: string) => unknown

/** How PostgreSQL's text is converted to our values: instants stay text, integers are checked. */
export function parserOf(oid: number): Parser {
  switch (oid) {
    case BIGINT:
      return wholeNumber
    case TEXT:
    case DATE:
    case UUID:
      return asItIs
    case TEXTS:
      return textsOf
    case TIMESTAMP_WITH_ZONE:
      return instantOf
    default:
      return types.getTypeParser(oid, 'text') as Parser
  }
}

/** The parser for types that are text for us too. */
export function asItIs(text: string): string {
  return text
}

const anyTexts: Parser = types.getTypeParser(TEXTS as number, 'text')

/** `{view,power}` as a list; with pg's slower parser if an element is quoted or null. */
function textsOf(text: string): unknown {
  if (text === '{}') return []
  return /["\\]|NULL|^{{/.test(text) ? anyTexts(text) : text.slice(1, -1).split(',')
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`Too large to be exact: ${text}`)
  return value
}

/** `2030-01-08 09:15:00.5+00` as `2030-01-08T09:15:00.500Z`, without a Date. Sessions run in UTC. */
function instantOf(text: string): Instant {
  if (text.charCodeAt(10) !== 32 || !text.endsWith('+00')) return instant(text)
  const fraction = text.length > 23 ? text.slice(20, -3) : ''
  const millis =
    text.length === 22 ? '000' : (fraction || text.slice(20, -3)).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z` as Instant
}
