import { isObject } from '#platform/http/components.ts'

/** When everything in an example begins. */
const BEGIN_MS = Date.parse('2026-03-02T09:00:00.000Z')
const DAY_MS = 24 * 60 * 60 * 1000

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const DAY = /^\d{4}-\d\d-\d\d$/
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TOKEN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJleGFtcGxlIn0.ZXhhbXBsZQ'

/**
 * Replaces everything in a value that differs between test runs: ids, instants, secrets and addresses. Equal
 * values stay equal, and durations are kept.
 */
export function withoutChance(value: unknown): unknown {
  const text = JSON.stringify(value)
  const times = (text.match(INSTANT) ?? []).map((it) => Date.parse(it))
  const days = (text.match(/"\d{4}-\d\d-\d\d"/g) ?? []).map((it) => Date.parse(it.slice(1, -1)))
  const all = times.length > 0 ? times : days
  const firstMs = all.reduce((least, it) => Math.min(least, it), all[0] ?? BEGIN_MS)
  const ids = new Map<string, string>()
  function replaced(it: unknown, names: readonly string[]): unknown {
    if (Array.isArray(it)) return it.map((entry) => replaced(entry, names))
    if (isObject(it)) {
      const entries = Object.entries(it)
      return Object.fromEntries(
        entries.map(([name, inner]) => [idIn(name), replaced(inner, [...names, name])]),
      )
    }
    return typeof it === 'string' ? textOf(it, names) : it
  }
  function textOf(it: string, names: readonly string[]): string {
    if (DAY.test(it)) return dayOf(it)
    const isKept = ['message', 'description', 'title', 'body'].includes(names.at(-1) ?? '')
    const known = idIn(it.replace(INSTANT, instantOf))
    const placed = known
      .replace(/https?:\/\/(127\.0\.0\.1|localhost|shop\.test)(:\d+)?/g, hostFor(names))
      .replace(/\b127\.0\.0\.1\b/g, '203.0.113.7')
    return isKept ? placed : withoutSecrets(placed)
  }
  function idIn(it: string): string {
    return it.replace(UUID, (id) => {
      if (!ids.has(id)) ids.set(id, numbered(ids.size + 1, id.charAt(14)))
      return ids.get(id) ?? id
    })
  }
  function instantOf(it: string): string {
    const seconds = Math.floor((Date.parse(it) - firstMs) / 1000)
    return new Date(BEGIN_MS + seconds * 1000).toISOString()
  }
  function dayOf(it: string): string {
    const shift = Math.round((BEGIN_MS - firstMs) / DAY_MS) * DAY_MS
    return new Date(Date.parse(it) + shift).toISOString().slice(0, 10)
  }
  return replaced(value, [])
}

function numbered(number: number, version: string): string {
  return `0199a000-0000-${version}000-8000-${String(number).padStart(12, '0')}`
}

function hostFor(names: readonly string[]): string {
  if (names.includes('redirectUrl')) return 'https://pay.example.com'
  if (names.includes('panel')) return 'https://panel.example.com'
  return 'https://shop.example.com'
}

function withoutSecrets(it: string): string {
  return it
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, TOKEN)
    .replace(/\b(moor_|whsec_|ptla_|ptlc_|sk_test_|pk_test_|sk_live_)[\w+/=-]{4,}/g, '$1Example')
    .replace(/[\w+-]{20,}={0,2}/g, (word) => (isRandom(word) ? sameLength(word) : word))
}

/** Whether a word looks random: mixed-case letters and digits, or a long hexadecimal number. */
function isRandom(word: string): boolean {
  if (/^[0-9a-f-]{36}$/.test(word) || /^example/i.test(word)) return false
  const isMixed =
    /[A-Z]/.test(word) && /[a-z]/.test(word) && !/^[A-Z]?[a-z]+([A-Z][a-z]+)*$/.test(word)
  return isMixed || /^[0-9a-f]{24,}$/.test(word)
}

function sameLength(word: string): string {
  const length = Math.min(word.length, 64)
  const part = /^[0-9a-f]+$/.test(word) ? '0123456789abcdef' : 'Example'
  return part.repeat(Math.ceil(length / part.length)).slice(0, length)
}
